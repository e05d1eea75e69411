// The layer over the pictures: the values at the pointer, zoom along time axes, and the table behind
// each picture. All of it comes from the numbers beside a picture, which package chart records.

const hour = 3600;
const timeSteps = [60, 300, 600, 900, 1800, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour, 48 * hour, 168 * hour];

// On the axis, a midnight is labelled with the day that begins there, except at the end.
const timeTick = (t, end) => (t > 0 && t % (24 * hour) === 0 && t !== end ? 'day ' + (t / (24 * hour) + 1) : timeOfDay(t));

// written formats a value as the labels of its axis do, with three digits where that is enough. Whole
// numbers have no decimals if the axis counts something, or if short is true.
function written(axis, v, short) {
  if (v === null || v === undefined) return '–';
  if (axis.time) return clock(v);
  if (axis.names) return axis.names[nearest(axis.places, v)];
  return digits(v * (axis.factor || 1), axis.unit, short || !axis.unit) + (axis.unit ?? '');
}

function digits(n, unit, short) {
  const size = Math.abs(n);
  let decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  if (size > 0 && size < 0.1) decimals = Math.min(6, 1 - Math.floor(Math.log10(size)));
  if (unit === ' %' && size > 99.9 && size < 100) decimals = 2; // not 100 %
  if (n === 0 || (short && Number.isInteger(n))) decimals = 0;
  return n.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).replace('-', '−');
}

// nearest returns the index of the position that is nearest to v.
function nearest(at, v) {
  return at.reduce((best, x, i) => (Math.abs(x - v) < Math.abs(at[best] - v) ? i : best), 0);
}

function element(parent, name, attributes, text) {
  const svg = parent.namespaceURI.endsWith('svg');
  const made = svg ? document.createElementNS(parent.namespaceURI, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

// A Part is a panel of a picture or a list of bars in it.
class Part {
  constructor(figure, shown) {
    Object.assign(this, { figure, svg: figure.querySelector('svg') }, shown);
    [this.left, this.top, this.right, this.bottom] = this.box;
    if (this.x) this.zoom(null);
  }

  has(p) {
    return p.x >= this.left && p.x <= this.right && p.y >= this.top && p.y <= this.bottom;
  }

  valueAt(x) {
    const share = (x - this.left) / (this.right - this.left);
    return this.x.log ? this.x.min * (this.x.max / this.x.min) ** share : this.from + share * (this.to - this.from);
  }

  placeOf(v) {
    return this.left + (this.right - this.left) * (v - this.from) / (this.to - this.from);
  }

  // dot returns the dot at the pointer.
  dot(p) {
    const y = (v) => this.bottom + (this.top - this.bottom) * (v - this.y.min) / (this.y.max - this.y.min);
    const away = (dot) => Math.hypot(this.placeOf(dot.x) - p.x, y(dot.y) - p.y);
    const [best] = (this.dots ?? []).toSorted((a, b) => away(a) - away(b));
    return best && away(best) < 12 ? best : undefined;
  }

  // index returns the index of the value of a series at v, which is -1 before the first step.
  index(series, v) {
    const at = this.at[series.at];
    return series.form === 'steps' ? at.findLastIndex((x) => x <= v * (1 + 1e-9)) : nearest(at, v);
  }

  nameOf(series) {
    return series.name || this.name.split(';')[0];
  }

  // position says where on the x axis a reading is.
  position(series, v) {
    if (series.form === 'steps') return 'at most ' + written(this.x, v, true);
    const at = this.at[series.at];
    const x = at[this.index(series, v)];
    if (series.form !== 'columns' || at.length < 2) return written(this.x, x, true) + (this.x.time ? ' ' + zone() : '');
    const half = (at[1] - at[0]) / 2;
    return written(this.x, x - half, true) + ' to ' + written(this.x, x + half, true);
  }

  // read shows the values at the point p, or at the same time as another part's.
  read(p, time) {
    if (this.cells) return this.readCell(p);
    if (this.rows) {
      const row = Math.min(this.rows.length - 1, Math.floor((p.y - this.top) / (this.bottom - this.top) * this.rows.length));
      const height = (this.bottom - this.top) / this.rows.length;
      this.mark('rect', { x: this.left, width: this.right - this.left, y: this.top + row * height, height });
      this.tell(p.x, this.top + (row + 1) * height, this.rows[row][0], this.head.slice(1).map((name, i) => [name, this.rows[row][i + 1]]));
      return;
    }
    const dot = time === undefined && this.dot(p);
    if (dot) {
      const x = this.placeOf(dot.x);
      this.mark('line', { x1: x, x2: x, y1: this.top, y2: this.bottom });
      this.tell(x, p.y, dot.name, [...(this.x.name ? [[this.x.name, written(this.x, dot.x)]] : []), [this.name, written(this.y, dot.y)]]);
      return;
    }
    if (!this.series) return this.leave();
    const v = time ?? this.valueAt(p.x);
    if (v < this.from || v > this.to) return this.leave();
    const x = time === undefined ? p.x : this.placeOf(v);
    this.mark('line', { x1: x, x2: x, y1: this.top, y2: this.bottom });
    const bands = this.bandsWithin(v, v).map((band) => ', ' + band.name).join('');
    this.tell(x, this.top, this.position(this.series[0], v) + bands, this.series.map((s) => [this.nameOf(s), written(this.y, s.values[this.index(s, v)]), s.colour]));
  }

  // readCell shows the texts of the smallest cell at the point p.
  readCell(p) {
    const size = ([left, top, right, bottom]) => (right - left) * (bottom - top);
    let best = -1;
    this.cells.forEach((box, i) => {
      const hit = p.x >= box[0] && p.x <= box[2] && p.y >= box[1] && p.y <= box[3];
      if (hit && (best < 0 || size(box) < size(this.cells[best]))) best = i;
    });
    if (best < 0) return this.leave();
    const [left, top, right, bottom] = this.cells[best];
    this.mark('rect', { x: left, y: top, width: right - left, height: bottom - top });
    this.tell(right, bottom, this.rows[best][0], this.head.slice(1).map((name, i) => [name, this.rows[best][i + 1]]));
  }

  mark(name, attributes) {
    this.sign?.remove();
    this.sign = element(this.svg, name, { ...attributes, class: 'sign' });
  }

  // tell writes a heading and lines of names and values beside a place of the picture.
  tell(x, y, heading, lines) {
    this.tip ??= element(this.figure, 'div', { class: 'tip' });
    this.tip.replaceChildren();
    element(this.tip, 'strong', {}, heading);
    for (const [name, value, colour] of lines) {
      const line = element(this.tip, 'span', {});
      if (colour && lines.length > 1) element(line, 'i', { class: 'patch', style: 'background:' + colour });
      line.append(name + ' ');
      element(line, 'b', {}, value);
    }
    const at = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM());
    const frame = this.figure.getBoundingClientRect();
    const [left, width] = [at.x - frame.x, this.tip.offsetWidth];
    const beside = left + 12 + width < frame.width ? left + 12 : left - 12 - width;
    this.tip.style.left = Math.max(4, Math.min(beside, frame.width - width - 4)) + 'px';
    this.tip.style.top = at.y - frame.y + 4 + 'px';
  }

  leave() {
    this.sign?.remove();
    this.tip?.remove();
    this.sign = this.tip = undefined;
  }

  // zoom shows only a span of the time axis, or all of it if span is null. It stretches what is
  // drawn, and draws an axis for the span.
  zoom(span) {
    [this.from, this.to] = span ?? [this.x.min, this.x.max];
    if (!this.x.time) return;
    this.axis?.remove();
    this.clip?.remove();
    const name = `clip-${this.figure.id}-${this.number}`;
    const stretch = (this.x.max - this.x.min) / (this.to - this.from);
    const start = this.left + (this.right - this.left) * (this.from - this.x.min) / (this.x.max - this.x.min);
    for (const group of this.svg.querySelectorAll(`[data-x="${this.number}"]`)) {
      group.setAttribute('transform', span ? `translate(${this.left - stretch * start}) scale(${stretch},1)` : '');
      group.setAttribute('clip-path', span ? `url(#${name})` : '');
    }
    for (const name of ['data-axis', 'data-names']) {
      const drawn = this.svg.querySelector(`[${name}="${this.number}"]`);
      if (drawn) drawn.style.visibility = span ? 'hidden' : '';
    }
    if (!span) return;
    this.clip = element(this.svg, 'clipPath', { id: name });
    element(this.clip, 'rect', { x: start, y: -9999, width: (this.right - this.left) / stretch, height: 19999 });
    this.axis = element(this.svg, 'g', { class: 'axis' });
    const base = this.bottom;
    element(this.axis, 'line', { x1: this.left, x2: this.right, y1: base, y2: base });
    const step = timeSteps.find((s) => (this.to - this.from) / s <= 12) ?? timeSteps.at(-1);
    for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
      const x = this.placeOf(t);
      element(this.axis, 'line', { x1: x, x2: x, y1: base, y2: base + 4 });
      element(this.axis, 'text', { x, y: base + 16 }, timeTick(t, this.x.max));
    }
    let free = this.left; // where the next name of a band may begin
    for (const band of this.bandsWithin(this.from, this.to)) {
      const x = Math.max(this.placeOf(band.from), free);
      if (x > this.right - 24) break;
      const name = element(this.axis, 'text', { x, y: this.top - 3, class: 'band' }, band.name);
      free = x + name.getBBox().width + 8;
    }
  }

  // bandsWithin returns the bands, such as outages, that are in a span of time.
  bandsWithin(from, to) {
    return (this.x.bands ?? []).filter((band) => band.to >= from && band.from <= to);
  }

  // table returns the head and the rows of the table behind the part.
  table() {
    if (this.rows) return [this.head, this.rows];
    if (!this.series) return [['', this.x.name, this.name], this.dots.map((d) => [d.name, written(this.x, d.x), written(this.y, d.y)])];
    let positions = [...new Set(this.at.flat())].sort((a, b) => a - b);
    const first = this.series[0].form === 'steps' ? 'at most' : this.x.time ? zone() : '';
    const cell = (s, v) => (s.form === 'steps' ? s.values[this.index(s, v)] : s.values[this.at[s.at].indexOf(v)]);
    // A curve repeats its first and its last value at the edges of the day.
    const repeated = (v, next) => this.x.time && this.series.every((s) => cell(s, v) === cell(s, next));
    if (positions.length > 2 && positions[0] === this.x.min && repeated(positions[0], positions[1])) positions = positions.slice(1);
    if (positions.length > 2 && positions.at(-1) === this.x.max && repeated(positions.at(-1), positions.at(-2))) positions = positions.slice(0, -1);
    return [[first, ...this.series.map((s) => this.nameOf(s))],
      positions.map((v) => [first === 'at most' ? written(this.x, v, true) : this.position(this.series[0], v).replace(' ' + zone(), ''), ...this.series.map((s) => written(this.y, cell(s, v)))])];
  }
}

// addTables writes the tables of a picture. Most readers do not open them, so they are written when a
// reader does.
function addTables(box, parts) {
  for (const part of parts) {
    const [head, rows] = part.table();
    if (part.name) element(box, 'h4', {}, part.name);
    const scroll = element(box, 'div', { class: 'scroll' });
    const table = element(scroll, 'table', {});
    const line = (section, cells, first) => {
      const row = element(section, 'tr', {});
      cells.forEach((cell, i) => element(row, i === 0 || first === 'col' ? 'th' : 'td', i === 0 || first === 'col' ? { scope: first } : {}, cell));
    };
    line(element(table, 'thead', {}), head, 'col');
    const body = element(table, 'tbody', {});
    rows.forEach((cells) => line(body, cells, 'row'));
    makeSortable(table);
  }
}

function startFigures() {
  const all = [];
  for (const figure of document.querySelectorAll('.picture')) {
    const numbers = figure.querySelector('script');
    if (!numbers) continue;
    const parts = JSON.parse(numbers.textContent).map((shown) => new Part(figure, shown));
    all.push(...parts);
    figure.querySelector('.numbers').addEventListener('toggle', (e) => addTables(e.target, parts), { once: true });
    follow(figure.querySelector('svg'), parts, all);
  }
}

// follow shows the values at the pointer in a picture, and zooms all pictures with a time axis.
function follow(svg, parts, all) {
  const place = (e) => new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const timed = () => all.filter((part) => part.x?.time);
  let drag = null; // the part and the place where the reader began to drag
  let span = null;
  const point = (e) => {
    const p = place(e);
    const here = drag?.part ?? parts.find((part) => part.has(p));
    const shared = here?.x?.time ? timed() : [];
    all.filter((part) => part !== here && !shared.includes(part)).forEach((part) => part.leave());
    if (!here) return;
    p.x = Math.max(here.left, Math.min(p.x, here.right));
    here.read(p);
    shared.filter((part) => part !== here).forEach((part) => part.read(p, here.valueAt(p.x)));
    if (!drag) return;
    span?.remove();
    span = element(svg, 'rect', { class: 'span', x: Math.min(drag.x, p.x), width: Math.abs(p.x - drag.x), y: here.top, height: here.bottom - here.top });
    drag.end = p.x;
  };
  const drop = () => {
    span?.remove();
    if (drag && Math.abs(drag.end - drag.x) > 5) {
      const chosen = [drag.x, drag.end].map((x) => drag.part.valueAt(x)).sort((a, b) => a - b);
      timed().forEach((part) => { part.leave(); part.zoom(chosen); });
    }
    drag = span = null;
  };
  svg.addEventListener('pointermove', point);
  svg.addEventListener('pointerdown', (e) => {
    const p = place(e);
    const part = parts.find((it) => it.has(p));
    if (part?.x?.time && e.pointerType === 'mouse' && e.button === 0) {
      e.preventDefault(); // do not select text
      svg.setPointerCapture(e.pointerId);
      drag = { part, x: p.x, end: p.x };
    }
    point(e);
  });
  svg.addEventListener('pointerup', drop);
  svg.addEventListener('pointercancel', drop);
  svg.addEventListener('pointerleave', () => { if (!drag) all.forEach((part) => part.leave()); });
  svg.addEventListener('dblclick', () => timed().forEach((part) => part.zoom(null)));
}
