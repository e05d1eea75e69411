// Colours, and numbers as they are written everywhere.

// colour returns a colour of the page by its name, as it is in the present theme.
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

function clock(seconds) {
  const minutes = Math.round(seconds / 60);
  const two = (n) => String(n).padStart(2, '0');
  const day = Math.floor(minutes / 1440);
  const time = two(Math.floor(minutes / 60) % 24) + ':' + two(minutes % 60);
  return day > 0 && minutes % 1440 !== 0 ? 'day ' + (day + 1) + ' ' + time : minutes === 1440 ? '24:00' : time;
}

const thousands = (n) => n.toLocaleString('en', { maximumFractionDigits: 1 });
const number = (unit) => (v) => (v === null || v === undefined ? '–' : thousands(v) + unit);
const share = (v) => (v === null || v === undefined ? '–' : (100 * v).toFixed(1) + ' %');
const percent = (v) => Math.round(100 * v) + ' %';

