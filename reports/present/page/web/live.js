// The live page: every step of the run that arrives is shown at once. Only the last one
// is kept.

class Live extends Lapse {
  // take shows a step.
  take(step) {
    this.frames = planes(bytesOf(step.packed), this.cells);
    this.lapse.load = [step.load];
    this.lapse.in_match = [step.in_match];
    this.seconds = step.t;
    this.mostPlayers = this.frames.players.reduce((a, b) => Math.max(a, b), this.mostPlayers);
    this.mostLoad = Math.max(this.mostLoad, ...step.load);
    this.show(0);
    document.getElementById('live-state').textContent = `${thousands(step.searching)} searching`;
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

const say = (text) => { document.getElementById('live-state').textContent = text; };
const events = new EventSource('events');
events.onmessage = (event) => live.take(JSON.parse(event.data));
events.addEventListener('end', () => {
  events.close();
  say('the run has ended');
});
events.onerror = () => say(events.readyState === EventSource.CLOSED ? 'the run cannot be watched any more' : 'connecting again');
