// This script starts the interactive parts of the page. Scripts are at the end of the page, so
// all elements exist when they run.

const data = JSON.parse(document.getElementById('data').textContent);
const redraws = [];

document.documentElement.classList.add('scripted');
startTables();
startCharts(document.getElementById('day-charts'), dayCharts(data), redraws);
startCharts(document.getElementById('share-charts'), shareCharts(data), redraws);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => redraws.forEach((redraw) => redraw()));

if (data.lapse && !('DecompressionStream' in window)) {
  document.getElementById('lapse-words').textContent = 'This browser is too old to unpack the map.';
} else if (data.lapse) {
  unpack(data.lapse).then((frames) => {
    const lapse = new Lapse(data, frames);
    redraws.push(() => lapse.redraw());
    lapse.start();
  });
}
