// Charts drawn by uPlot, in which a reader can point at values and zoom. The curves of a chart also
// differ in their dashes, so that readers can distinguish them without colours.

const dashes = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

const curveColours = ['blue', 'orange', 'purple', 'green', 'red', 'sky'];

const hour = 3600;
const timeSteps = [60, 300, 600, 900, 1800, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour, 48 * hour, 168 * hour];

const wholeSteps = [...Array(10).keys()].flatMap((power) => [1, 2, 5].map((m) => m * 10 ** power));

// On the axis, a midnight is labelled with the day that begins there, except at the end.
const timeTick = (t, end) => (t > 0 && t % (24 * hour) === 0 && t !== end ? 'day ' + (t / (24 * hour) + 1) : timeOfDay(t));
const timeAxis = { name: 'at', tick: timeTick, value: clock, steps: timeSteps };

// stacked adds the values of all previous curves to each curve. The highest sum comes first, so
// that areas can be filled from back to front.
function stacked(curves) {
  const sums = [];
  curves.forEach((c, i) => {
    const below = i > 0 ? sums[i - 1].values : null;
    sums.push({ ...c, shown: c.values, values: c.values.map((v, k) => (v === null ? null : v + (below ? below[k] : 0))) });
  });
  return sums.reverse();
}

// level returns a dashed horizontal line at a limit.
function level(name, value, xs) {
  return { name, values: xs.map(() => value), colour: 'ink', dash: [4, 4], width: 1, limit: true, format: number(' ms') };
}

// dayCharts returns the names, axes and curves of the charts over the day.
function dayCharts(data) {
  const m = data.minutes;
  const w = data.windows;
  const percentiles = (values, format) => ['half of the players', '90 %', '99 %'].map((name, i) =>
    ({ name, values: values[i], colour: ['blue', 'orange', 'purple'][i], dash: dashes[i], format }));
  const people = (name, values, colour) => ({ name, values, colour, format: number('') });
  const online = [people('playing', m.playing, 'blue'), people('between matches', m.between, 'sky'), people('searching', m.searching, 'red')];
  if (m.bots.some((n) => n > 0)) online.push(people('against bots', m.bots, 'green'));
  if (data.servers) return serverCharts(data, percentiles, people);
  const charts = [
    { name: 'Players online', x: m.t, curves: stacked(online), fill: true, axis: timeAxis },
    // Percentiles across queues with different rules would not describe any of the queues.
    ...(data.queues ? [] : [
      { name: 'Wait of first searches, s', x: w.t, curves: percentiles(w.wait, number(' s')), axis: timeAxis }, rttChart(data, percentiles)]),
    ...(data.has_states ? [statesChart(w)] : []),
    { name: 'Searches that begin in a minute', x: m.t, axis: timeAxis, curves: [
      { ...people('joins', m.joins, 'blue'), dash: dashes[0] }, { ...people('returns after a match', m.returns, 'orange'), dash: dashes[1] }] },
    { name: 'Players who leave without a match in a minute', x: m.t, axis: timeAxis, curves: [people('players', m.failed, 'red')] },
  ];
  return throughTheDay(data, charts);
}

function statesChart(w) {
  return { name: 'State when matched, share of players', x: w.t, fill: true, axis: timeAxis, most: 1, tick: percent, curves: stacked(
    ['IDEAL', 'EXPAND', 'WARMBODY'].map((name, i) => ({ name, values: w.states[i], colour: ['green', 'orange', 'red'][i], format: share }))) };
}

function throughTheDay(data, charts) {
  return charts.map((c) => ({ ...c, key: 'day', span: [0, data.seconds] }));
}

function rttChart(data, percentiles) {
  const w = data.windows;
  return { name: 'RTT, ms', x: w.t, axis: timeAxis, curves: [...percentiles(w.rtt, number(' ms')),
    level('ideal', data.thresholds.ideal, w.t), level('expand', data.thresholds.expand, w.t)] };
}

// serverCharts returns the charts over the day for a run on servers, which has no states.
function serverCharts(data, percentiles, people) {
  const s = data.servers;
  return throughTheDay(data, [
    { name: 'Seats of running servers', x: s.t, fill: true, axis: timeAxis,
      curves: stacked([people('taken', s.taken, 'blue'), people('free', s.free, 'sky')]) },
    { name: 'Servers', x: s.t, axis: timeAxis, curves: [
      { ...people('running', s.running, 'blue'), dash: dashes[0] },
      { ...people('started in a quarter of an hour', s.opened, 'orange'), dash: dashes[1] }] },
    rttChart(data, percentiles),
    { name: 'Joins of a quarter of an hour', x: s.t, axis: timeAxis, curves: [
      { ...people('placed', s.placed, 'blue'), dash: dashes[0] },
      { ...people('with a friend', s.preferred, 'orange'), dash: dashes[1] }] },
  ]);
}

// shareCharts returns the charts of distributions.
function shareCharts(data) {
  const axis = (name, unit) => ({ name, tick: (v) => tickNumber(v) + unit });
  const cumulative = (name, curves, unit) => {
    const xs = [...new Set(curves.flatMap((c) => c.x))].filter((x) => x > 0).sort((a, b) => a - b);
    return { name, x: xs, log: true, most: 1, tick: percent, axis: axis('at most', unit), curves: curves.map((c, i) =>
      ({ name: c.name, values: atMost(c, xs), colour: curveColours[i % curveColours.length], dash: dashes[i % dashes.length], format: share })) };
  };
  const { width, shares } = data.rtt_bars;
  return [
    ...(data.waits.length ? [cumulative(data.queues ? 'Share of first searches with a match that wait at most' : 'Share of matched players who wait at most', data.waits, ' s')] : []),
    cumulative('Share of players with an RTT of at most', data.rtts, ' ms'),
    ...(data.queues ? [] : [{ name: `Share of players by RTT, in steps of ${width} ms; the last bar includes everything above`, x: shares.map((_, i) => (i + 0.5) * width),
      fill: true, bars: true, tick: percent, span: [0, shares.length * width], axis: axis('around', ' ms'),
      curves: [{ name: 'players', values: shares, colour: 'blue', format: share }] }]),
  ];
}

// atMost returns, for every x, the share of players whose value is at most x, or null if the curve
// has no points.
function atMost(curve, xs) {
  let i = 0;
  return xs.map((x) => {
    while (i < curve.x.length && curve.x[i] <= x) i++;
    return curve.x.length === 0 ? null : i > 0 ? curve.share[i - 1] : 0;
  });
}

function seriesOf(curve, fill, bars) {
  return {
    label: curve.name,
    stroke: colour(curve.colour),
    fill: fill ? colour(curve.colour) : undefined,
    width: curve.width ?? 2,
    dash: fill ? [] : curve.dash,
    points: { show: false },
    paths: bars ? uPlot.paths.bars({ size: [0.9] }) : undefined,
    value: (u, v, series, index) => curve.format(index === null ? null : curve.shown ? curve.shown[index] : v),
  };
}

// draw draws a chart into its box and makes it as wide as the box.
function draw(chart, box) {
  const axis = { stroke: colour('muted'), grid: { stroke: colour('grid'), width: 1 }, ticks: { stroke: colour('rule'), width: 1 } };
  const most = (u, low, high) => [0, chart.most ?? (high > 0 ? high * 1.05 : 1)];
  const whole = chart.curves.every((c) => c.values.every(Number.isInteger)); // no ticks at half a player
  const ends = [chart.x[0], chart.x.at(-1)];
  // The axis ends with the data, because the next power of ten may leave most of the chart empty.
  const powers = (u, low, high) => (low === ends[0] && high === ends[1] ? [10 ** Math.floor(Math.log10(low)), high] : [low, high]);
  const span = (u, low, high) => (chart.span && low === ends[0] && high === ends[1] ? chart.span : [low, high]);
  box.replaceChildren();
  const plot = new uPlot({
    width: box.clientWidth,
    height: 240,
    padding: [10, 32, 0, 0], // half of the last label of the x axis
    cursor: { sync: chart.key ? { key: chart.key } : undefined, points: { size: 7 }, drag: { x: true, y: false } },
    scales: { x: { time: false, ...(chart.log ? { distr: 3, range: powers } : { range: span }) }, y: { range: most } },
    axes: [
      { ...axis, size: 34, incrs: chart.axis.steps, values: (u, splits) => splits.map((v) => (v === null ? null : chart.axis.tick(v, chart.span?.[1]))) },
      { ...axis, size: 58, incrs: whole ? wholeSteps : undefined, values: (u, splits) => splits.map(chart.tick ?? tickNumber) },
    ],
    series: [{ label: chart.axis.name, value: (u, v) => (v === null ? '–' : (chart.axis.value ?? chart.axis.tick)(v)) },
      ...chart.curves.map((c) => seriesOf(c, chart.fill, chart.bars))],
  }, [chart.x, ...chart.curves.map((c) => c.values)], box);
  return plot;
}

// shows reports whether a chart has content: at least two points, and a curve other than limits
// with a value above zero.
function shows(chart) {
  return chart.x.length > 1 && chart.curves.some((c) => !c.limit && c.values.some((v) => v > 0));
}

// startCharts makes a figure for every chart that has content. It resizes a chart when the width
// of its box changes. It adds a function to redraws that draws the chart again in a new theme.
function startCharts(place, charts, redraws) {
  for (const chart of charts) {
    if (!shows(chart)) continue;
    const figure = document.createElement('figure');
    const caption = document.createElement('figcaption');
    const box = document.createElement('div');
    caption.textContent = chart.name;
    figure.append(caption, box);
    place.append(figure);
    let plot = draw(chart, box);
    redraws.push(() => { plot.destroy(); plot = draw(chart, box); });
    new ResizeObserver(() => {
      if (box.clientWidth > 0 && box.clientWidth !== plot.width) plot.setSize({ width: box.clientWidth, height: 240 });
    }).observe(box);
  }
}

