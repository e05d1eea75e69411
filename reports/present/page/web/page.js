// This script starts the interactive parts of the page. Scripts are at the end of the page, so
// all elements exist when they run.

const data = JSON.parse(document.getElementById('data').textContent);

document.documentElement.classList.add('scripted');
startTables();
startFigures();

if (data.lapse && !('DecompressionStream' in window)) {
  document.getElementById('lapse-words').textContent = 'This browser is too old to unpack the map.';
} else if (data.lapse) {
  unpack(data.lapse).then((frames) => {
    const lapse = new Lapse(data, frames);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => lapse.redraw());
    lapse.start();
  });
}
