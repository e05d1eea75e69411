// Colours, and numbers as they are written everywhere.

// colour returns a colour of the page by its name, as it is in the present theme.
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

// timeOfDay writes an instant without its day. A midnight is the end of the day before.
function timeOfDay(seconds) {
  const minutes = Math.round(seconds / 60);
  const two = (n) => String(n).padStart(2, '0');
  return minutes > 0 && minutes % 1440 === 0 ? '24:00' : two(Math.floor(minutes / 60) % 24) + ':' + two(minutes % 60);
}

// clock writes an instant, from the second day on with its day.
function clock(seconds) {
  const day = Math.ceil(Math.round(seconds / 60) / 1440);
  return (day > 1 ? `day ${day} ` : '') + timeOfDay(seconds);
}

const thousands = (n) => n.toLocaleString('en', { maximumFractionDigits: 1 });
const number = (unit) => (v) => (v === null || v === undefined ? '–' : thousands(v) + unit);
const share = (v) => (v === null || v === undefined ? '–' : percentOf(v) + ' %');

// percentOf writes a share in percent with one decimal, and a smaller one with more.
const percentOf = (v) => (v > 0 && v < 0.0005 ? (100 * v).toLocaleString('en', { maximumSignificantDigits: 2 }) : (100 * v).toFixed(1));

// Ticks have all digits of their steps, such as 12.5.
const tickNumber = (v) => v.toLocaleString('en', { maximumFractionDigits: 6 });
const percent = (v) => tickNumber(100 * v) + ' %';

