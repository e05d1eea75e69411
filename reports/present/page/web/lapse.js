// The time-lapse unpacks the frames, moves through them, and describes the map in words and
// numbers.

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

// planes decodes the numbers of players in as many cells as size says, and then an RTT for each of
// these numbers that is not 0.
function planes(bytes, size) {
  let at = 0;
  const next = () => {
    let value = 0;
    let unit = 1;
    let byte;
    do {
      byte = bytes[at++];
      value += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    return value;
  };
  const players = Uint32Array.from({ length: size }, next);
  return { players, rtt: players.map((n) => (n > 0 ? next() : 0)) };
}

// unpack returns the players and RTTs of all frames, by frame and cell.
async function unpack(lapse) {
  const stream = new Blob([bytesOf(lapse.packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return planes(new Uint8Array(await new Response(stream).arrayBuffer()), lapse.frames * lapse.latitudes.length);
}

class Lapse {
  constructor(data, frames) {
    const lapse = data.lapse;
    Object.assign(this, { lapse, frames, queues: data.queues, classes: data.classes, outages: data.outages, cells: lapse.latitudes.length });
    this.visible = Array(6).fill(true);
    this.mostPlayers = frames.players.reduce((a, b) => Math.max(a, b), 1);
    this.mostLoad = Math.max(1, ...lapse.load.flat());
    this.densityLimits = [1, 3, 10, 30, 100];
    const total = data.datacenters.map((_, i) => lapse.load.reduce((sum, row) => sum + row[i], 0));
    this.sites = data.datacenters.map((site, index) => ({ ...site, index })).sort((a, b) => total[b.index] - total[a.index]);
    this.now = { players: new Float32Array(this.cells), rtt: new Uint16Array(this.cells), classes: new Uint8Array(this.cells),
      latitudes: lapse.latitudes, longitudes: lapse.longitudes, load: [] };
    this.position = lapse.in_match.indexOf(Math.max(...lapse.in_match)); // in frames
    this.map = new WorldMap(document.getElementById('lapse-map'), data.coast, this.sites);
  }

  // seek sets the data for the map at a position. Between two frames it interpolates.
  seek(position) {
    this.position = Math.max(0, Math.min(position, this.lapse.frames - 1));
    const first = Math.floor(this.position);
    const second = Math.min(first + 1, this.lapse.frames - 1);
    const part = this.position - first;
    const { players, rtt } = this.frames;
    for (let i = 0; i < this.cells; i++) {
      const a = first * this.cells + i;
      const b = second * this.cells + i;
      this.now.players[i] = players[a] * (1 - part) + players[b] * part;
      this.now.rtt[i] = rtt[a] === 0 ? rtt[b] : rtt[b] === 0 ? rtt[a] : rtt[a] * (1 - part) + rtt[b] * part;
      this.now.classes[i] = classOf(this.classes, this.now.rtt[i]);
    }
    this.now.load = this.lapse.load[first].map((n, i) => n * (1 - part) + this.lapse.load[second][i] * part);
    this.now.seconds = (this.position + 1) * this.lapse.step;
  }

  // until returns the time until which a datacenter cannot be used, or 0 if it can be used now.
  until(site) {
    const now = (outage) => outage.from <= this.now.seconds && this.now.seconds < outage.to && outage.sites.includes(site.index);
    return Math.max(0, ...(this.outages ?? []).filter(now).map((outage) => outage.to));
  }

  draw() {
    const { visible, mostPlayers, mostLoad, densityLimits } = this;
    this.sites.forEach((site) => { site.down = this.until(site); });
    this.map.draw({ ...this.now, visible, mostPlayers, mostLoad, densityLimits, density: this.density });
  }

  // shares returns the share of players in every class of RTTs, the mean RTT, and the number of
  // players.
  shares() {
    const byClass = Array(6).fill(0);
    let sum = 0;
    let all = 0;
    for (let i = 0; i < this.cells; i++) {
      byClass[this.now.classes[i]] += this.now.players[i];
      all += this.now.players[i];
      sum += this.now.players[i] * this.now.rtt[i];
    }
    return { byClass: byClass.map((n) => (all > 0 ? n / all : 0)), mean: all > 0 ? sum / all : 0, all };
  }

  // tell shows the words and numbers for the current time.
  tell() {
    const get = (id) => document.getElementById(id);
    const time = clock(this.now.seconds);
    const { byClass, mean, all } = this.shares();
    const inMatch = this.lapse.in_match[Math.round(this.position)];
    const unknown = inMatch - Math.round(all);
    get('lapse-clock').textContent = time + ' ' + zone();
    if (this.slider) {
      this.slider.value = Math.round(this.position);
      this.slider.setAttribute('aria-valuetext', time + ' ' + zone());
    }
    let words = `${time} ${zone()}: ${thousands(Math.round(all))} players in match${this.queues ? '' : `, mean RTT ${mean.toFixed(1)} ms`}.`;
    if (unknown > 0 && Number.isInteger(this.position)) {
      words += ` ${thousands(unknown)} more began their match in the warm-up period, in which places are not recorded.`;
    }
    for (const site of this.sites.filter((it) => it.down)) words += ` ${site.name}: outage until ${clock(site.down)} ${zone()}.`;
    get('lapse-words').textContent = words;
    for (const button of get('lapse-rtt').children) {
      button.querySelector('b').textContent = share(byClass[button.dataset.class]);
    }
    this.rows.forEach(({ bar, figure }, i) => {
      const load = this.now.load[this.sites[i].index];
      bar.style.setProperty('--share', load / this.mostLoad);
      figure.textContent = thousands(Math.round(load));
      bar.parentElement.classList.toggle('down', this.sites[i].down > 0);
    });
  }

  show(position) {
    this.seek(position);
    this.draw();
    this.tell();
  }

  // listSites adds the list of datacenters and their load to the page.
  listSites() {
    this.rows = this.sites.map((site) => {
      const [row, name, bar, figure] = ['li', 'span', 'i', 'b'].map((tag) => document.createElement(tag));
      name.textContent = site.name;
      name.title = site.name; // a long name is cut off
      row.append(name, bar, figure);
      document.getElementById('lapse-load').append(row);
      return { bar, figure };
    });
  }

  // listDensities adds the legend of the density colours to the page.
  listDensities() {
    [...this.densityLimits, Infinity].forEach((limit, i) => {
      const [entry, patch] = ['span', 'i'].map((tag) => document.createElement(tag));
      patch.className = 'patch density' + i;
      entry.append(patch, limit === Infinity ? 'more players in a cell' : 'up to ' + limit);
      document.getElementById('lapse-density').append(entry);
    });
  }

  // play starts or pauses the animation. At normal speed it shows all frames in half a minute.
  play() {
    const button = document.getElementById('lapse-play');
    const speed = document.getElementById('lapse-speed');
    let before = null;
    const step = (now) => {
      if (!this.playing) return;
      if (before !== null) this.position += (now - before) / 30_000 * this.lapse.frames * speed.value;
      before = now;
      if (this.position >= this.lapse.frames - 1) this.position = 0;
      this.show(this.position);
      requestAnimationFrame(step);
    };
    this.playing = !this.playing;
    button.textContent = this.playing ? 'Pause' : 'Play';
    if (this.playing) requestAnimationFrame(step);
    else this.show(Math.round(this.position));
  }

  // point shows a tip about the datacenter or the cell under the pointer.
  point(event) {
    const tip = document.getElementById('lapse-tip');
    const near = (longitude, latitude) => Math.hypot(this.map.x(longitude) - event.offsetX, this.map.y(latitude) - event.offsetY);
    let best = 9;
    let text = '';
    this.sites.forEach((s) => {
      if (near(s.longitude, s.latitude) < best) {
        best = near(s.longitude, s.latitude);
        text = `${s.name}: ${thousands(Math.round(this.now.load[s.index]))} players in match`;
        if (s.down) text += `, outage until ${clock(s.down)} ${zone()}`;
      }
    });
    for (let i = 0; text === '' && i < this.cells; i++) {
      const away = near(this.now.longitudes[i] + 0.5, this.now.latitudes[i] + 0.5);
      if (away < 3 && this.now.players[i] >= 0.5) {
        text = `${this.where(i)}: ${thousands(Math.round(this.now.players[i]))} players${this.queues ? '' : `, RTT ${this.now.rtt[i]} ms`}`;
      }
    }
    tip.hidden = text === '';
    tip.textContent = text;
    tip.style.left = Math.min(event.offsetX + 12, this.map.width - 200) + 'px';
    tip.style.top = event.offsetY + 12 + 'px';
  }

  where(i) {
    const side = (degrees, positive, negative) => Math.abs(degrees) + '° ' + (degrees < 0 ? negative : positive);
    return side(this.now.latitudes[i], 'N', 'S') + ' ' + side(this.now.longitudes[i], 'E', 'W');
  }

  // start starts the map and the controls of the time-lapse.
  start() {
    this.startMap();
    this.slider = document.getElementById('lapse-time');
    this.slider.max = this.lapse.frames - 1;
    this.slider.addEventListener('input', (e) => this.show(Number(e.target.value)));
    document.getElementById('lapse-play').addEventListener('click', () => this.play());
  }

  startMap() {
    const get = (id) => document.getElementById(id);
    this.listSites();
    this.listDensities();
    this.density = this.queues; // a mean RTT over queues with different rules says nothing
    get('lapse-colour')?.addEventListener('change', (e) => {
      this.density = e.target.value === 'density';
      get('lapse-rtt').hidden = this.density;
      get('lapse-density').hidden = !this.density;
      this.draw();
    });
    for (const button of get('lapse-rtt').children) {
      button.addEventListener('click', () => {
        const k = button.dataset.class;
        this.visible[k] = !this.visible[k];
        button.setAttribute('aria-pressed', this.visible[k]);
        this.draw();
      });
    }
    get('lapse-map').addEventListener('pointermove', (e) => this.point(e));
    get('lapse-map').addEventListener('pointerleave', () => { get('lapse-tip').hidden = true; });
    new ResizeObserver(() => this.redraw()).observe(get('lapse-map').parentElement);
  }

  redraw() {
    if (!this.map.resize()) return;
    this.show(this.position);
  }
}

