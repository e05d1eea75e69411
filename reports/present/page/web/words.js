// Colours, and formats of numbers and times for all scripts.

// colour returns a named colour of the page in the current theme.
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

// timeOfDay formats a time without its day. Midnights after the first are 24:00.
function timeOfDay(seconds) {
  const minutes = Math.round(seconds / 60);
  const two = (n) => String(n).padStart(2, '0');
  return minutes > 0 && minutes % 1440 === 0 ? '24:00' : two(Math.floor(minutes / 60) % 24) + ':' + two(minutes % 60);
}

// zone returns the name of the time zone of the page.
const zone = () => document.body.dataset.zone;

// clock formats a time. From the second day on it includes the day.
function clock(seconds) {
  const day = Math.ceil(Math.round(seconds / 60) / 1440);
  return (day > 1 ? `day ${day} ` : '') + timeOfDay(seconds);
}

const thousands = (n) => n.toLocaleString('en', { maximumFractionDigits: 1 });
const share = (v) => (v === null || v === undefined ? '–' : percentOf(v) + ' %');

// percentOf formats a share in percent with one decimal, and a very small share with more.
const percentOf = (v) => (v > 0 && v < 0.0005 ? (100 * v).toLocaleString('en', { maximumSignificantDigits: 2 }) : (100 * v).toFixed(1));
