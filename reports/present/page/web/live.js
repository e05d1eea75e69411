// The live page shows every step of the run when it arrives, and keeps only the last one.

const write = (id, text) => { document.getElementById(id).textContent = text; };
const seconds = (s) => `${s.toFixed(s < 10 ? 2 : 1)} s`;

class Live extends Lapse {
  // take shows a new step in place of the previous one.
  take(step) {
    this.frames = planes(bytesOf(step.packed), this.cells);
    this.lapse.load = [step.load];
    this.lapse.in_match = [step.in_match];
    this.seconds = step.t;
    this.mostPlayers = this.frames.players.reduce((a, b) => Math.max(a, b), this.mostPlayers);
    this.mostLoad = Math.max(this.mostLoad, ...step.load);
    this.show(0);
    write('live-match', thousands(step.in_match));
    write('live-match-note', `${thousands(step.searching)} searching`);
  }

  seek(position) {
    super.seek(position);
    this.now.seconds = this.seconds;
  }
}

const data = JSON.parse(document.getElementById('data').textContent);
const live = new Live(data, planes(new Uint8Array(data.lapse.latitudes.length), data.lapse.latitudes.length));
live.seconds = 0;
live.startMap();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => live.redraw());

// showWaits shows how long players waited and how many left without a match, in the last minutes and
// in the whole run so far.
function showWaits(waits) {
  const span = `in the last ${thousands(waits.seconds / 60)} min`;
  const wait = (id, of, what) => {
    write(id, of.players > 0 ? seconds(of.p90) : '–');
    return of.players > 0 ? `or less for 90 % of ${what} ${span}; the mean is ${seconds(of.mean)}.` : `No ${what} ended with a match ${span}.`;
  };
  const soFar = waits.so_far.players > 0 ? ` So far: ${seconds(waits.so_far.p90)}, and ${seconds(waits.so_far.mean)} on average.` : '';
  write('live-wait-note', wait('live-wait', waits.first, 'first searches') + soFar);
  write('live-repeat-note', wait('live-repeat', waits.repeat, 'searches after a match'));
  write('live-lost', thousands(waits.lost));
  write('live-lost-note', `players left ${span}, ${thousands(waits.lost_so_far)} so far.`);
}

// showEnd says that the run is over, and links to its report. The end event contains the report,
// because the server stops with the run.
async function showEnd(end) {
  const box = document.getElementById('live-end');
  const words = end.folder === '' ? 'The run has ended without results.'
    : `${end.complete ? 'The run has ended' : 'The run was interrupted'}: results in ${end.folder}.`;
  box.hidden = false;
  box.textContent = words;
  if (!end.report) return;
  const stream = new Blob([bytesOf(end.report)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const page = new Blob([await new Response(stream).arrayBuffer()], { type: 'text/html;charset=utf-8' });
  const link = document.createElement('a');
  Object.assign(link, { id: 'live-report', href: URL.createObjectURL(page), target: '_blank', textContent: 'Open the report' });
  box.append(' ', link);
}

const say = (text) => write('live-state', text);
const events = new EventSource('events');
events.onmessage = (event) => {
  live.take(JSON.parse(event.data));
  say('');
};
events.addEventListener('waits', (event) => showWaits(JSON.parse(event.data)));
events.addEventListener('end', (event) => {
  events.close();
  say('the run has ended');
  showEnd(JSON.parse(event.data));
});
events.onerror = () => say(events.readyState === EventSource.CLOSED ? 'the run cannot be watched any more' : 'connecting again');
