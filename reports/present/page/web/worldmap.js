// The world map draws land, night, players and datacenters at one time on a canvas. It does not
// depend on the rest of the time-lapse.

const world = { north: 76, south: -56, stretch: 1.22 };
const ratio = 360 / ((world.north - world.south) * world.stretch);

// classOf returns the index of the first class whose limit is at least the value.
function classOf(limits, value) {
  const i = limits.findIndex((limit) => value <= limit);
  return i < 0 ? limits.length : i;
}

class WorldMap {
  constructor(canvas, coast, sites) {
    this.canvas = canvas;
    this.coast = coast;
    this.sites = sites;
    this.land = document.createElement('canvas');
    this.width = 0; // until resize
  }

  // resize adapts the map to the size of its box and to the theme. It returns false if the box
  // has no width.
  resize() {
    const density = Math.min(window.devicePixelRatio || 1, 2);
    this.width = this.canvas.parentElement.clientWidth;
    if (this.width === 0) return false;
    this.height = Math.round(this.width / ratio);
    this.canvas.style.height = this.height + 'px';
    for (const canvas of [this.canvas, this.land]) {
      canvas.width = this.width * density;
      canvas.height = this.height * density;
      canvas.getContext('2d').setTransform(density, 0, 0, density, 0, 0);
    }
    this.scale = Math.max(0.55, Math.min(1.2, this.width / 960));
    this.colours = Array.from({ length: 6 }, (_, i) => colour('rtt' + i));
    this.densities = Array.from({ length: 6 }, (_, i) => colour('density' + i));
    this.ink = colour('ink');
    this.paper = colour('paper');
    this.muted = colour('muted');
    this.night = colour('night');
    this.drawLand();
    this.placeNames();
    return true;
  }

  x(longitude) { return (longitude + 180) / 360 * this.width; }

  y(latitude) { return (world.north - latitude) * world.stretch / 360 * this.width; }

  drawLand() {
    const c = this.land.getContext('2d');
    c.clearRect(0, 0, this.width, this.height);
    c.beginPath();
    for (const ring of this.coast) {
      for (let i = 0; i < ring.length; i += 2) {
        const [x, y] = [this.x(ring[i] / 10), this.y(ring[i + 1] / 10)];
        if (i === 0) c.moveTo(x, y);
        else c.lineTo(x, y);
      }
      c.closePath();
    }
    c.fillStyle = colour('land');
    c.fill();
  }

  // placeNames finds positions for the names of datacenters, in the order of the list. It omits
  // names that do not fit.
  placeNames() {
    const c = this.canvas.getContext('2d');
    const taken = this.sites.map((s) => [this.x(s.longitude) - 5, this.y(s.latitude) - 5, this.x(s.longitude) + 5, this.y(s.latitude) + 5]);
    this.names = [];
    if (this.width < 600) return;
    c.font = '11px system-ui, sans-serif';
    for (const site of this.sites) {
      const name = site.name.length > 18 ? site.name.slice(0, 17) + '…' : site.name;
      const x = this.x(site.longitude);
      const y = this.y(site.latitude);
      const width = c.measureText(name).width;
      const at = [[x + 8, y + 4], [x - 8 - width, y + 4], [x - width / 2, y - 9], [x - width / 2, y + 18]].find(([left, base]) => {
        const box = [left - 2, base - 10, left + width + 2, base + 3];
        const free = box[0] > 0 && box[2] < this.width && !taken.some((t) => box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3]);
        if (free) taken.push(box);
        return free;
      });
      if (at) this.names.push({ site, name, x: at[0], y: at[1] });
    }
  }

  // draw draws the map with the players of every cell and the load of every datacenter.
  draw(now) {
    if (this.width === 0) return;
    const c = this.canvas.getContext('2d');
    c.clearRect(0, 0, this.width, this.height);
    c.drawImage(this.land, 0, 0, this.width, this.height);
    this.drawNight(c, now.seconds);
    if (now.density) this.drawDensity(c, now);
    else this.drawPlayers(c, now);
    this.drawSites(c, now.load, now.mostLoad);
  }

  // drawNight shades the part of the map where the sun is down. It assumes an equinox, when the
  // edge of the night is a meridian.
  drawNight(c, seconds) {
    const noon = 180 - seconds / 240;
    const shade = c.createLinearGradient(0, 0, this.width, 0);
    for (let i = 0; i <= 72; i++) {
      const height = Math.cos((i * 5 - 180 - noon) * Math.PI / 180);
      const dark = Math.max(0, Math.min(1, (0.05 - height) / 0.25));
      shade.addColorStop(i / 72, `rgba(${this.night},${(0.2 * dark).toFixed(3)})`);
    }
    c.fillStyle = shade;
    c.fillRect(0, 0, this.width, this.height);
  }

  // drawPlayers draws a circle per cell. All circles of a class are one path.
  drawPlayers(c, now) {
    for (let k = 0; k < 6; k++) {
      if (!now.visible[k]) continue;
      c.beginPath();
      for (let i = 0; i < now.players.length; i++) {
        if (now.players[i] < 0.05 || now.classes[i] !== k) continue;
        const x = this.x(now.longitudes[i] + 0.5);
        const y = this.y(now.latitudes[i] + 0.5);
        const r = this.scale * Math.max(0.9, 13 * Math.sqrt(now.players[i] / now.mostPlayers));
        c.moveTo(x + r, y);
        c.arc(x, y, r, 0, 2 * Math.PI);
      }
      c.fillStyle = this.colours[k];
      c.globalAlpha = 0.85;
      c.fill();
    }
    c.globalAlpha = 1;
  }

  // drawDensity fills each cell with the colour of its number of players. On a narrow map cells
  // would be dots of a pixel, so they are larger there.
  drawDensity(c, now) {
    const size = Math.max(2, this.width / 360);
    for (let k = 0; k < 6; k++) {
      c.fillStyle = this.densities[k];
      for (let i = 0; i < now.players.length; i++) {
        if (now.players[i] < 0.05 || classOf(now.densityLimits, now.players[i]) !== k) continue;
        c.fillRect(this.x(now.longitudes[i] + 0.5) - size / 2, this.y(now.latitudes[i] + 0.5) - size * world.stretch / 2, size + 0.5, size * world.stretch + 0.5);
      }
    }
  }

  drawSites(c, load, most) {
    this.sites.forEach((site) => {
      const r = this.scale * (4 + 6 * Math.sqrt(load[site.index] / Math.max(1, most)));
      const x = this.x(site.longitude);
      const y = this.y(site.latitude);
      c.beginPath();
      c.moveTo(x, y - r);
      c.lineTo(x + 0.9 * r, y + 0.7 * r);
      c.lineTo(x - 0.9 * r, y + 0.7 * r);
      c.closePath();
      c.lineWidth = 2;
      c.strokeStyle = this.paper;
      c.stroke();
      c.fillStyle = site.down ? this.paper : this.ink;
      c.fill();
      if (!site.down) return;
      c.lineWidth = 1.5;
      c.strokeStyle = this.muted;
      c.setLineDash([2, 2]);
      c.stroke();
      c.setLineDash([]);
    });
    c.font = '11px system-ui, sans-serif';
    c.lineJoin = 'round';
    c.lineWidth = 3;
    c.strokeStyle = this.paper;
    c.fillStyle = this.ink;
    for (const n of this.names.filter((it) => !it.site.down)) this.write(c, n.name, n.x, n.y);
    this.writeOutages(c, this.sites.filter((it) => it.down));
  }

  // writeOutages writes beside each datacenter that cannot be used until when. Texts of datacenters near
  // each other are on lines below each other.
  writeOutages(c, down) {
    const taken = [];
    for (const site of down) {
      const text = `${site.name}: outage until ${clock(site.down)}`;
      const width = c.measureText(text).width;
      const x = this.x(site.longitude);
      const left = x + 8 + width < this.width ? x + 8 : Math.max(2, x - 8 - width);
      let y = this.y(site.latitude) + 4;
      while (taken.some((t) => left < t[1] + 4 && t[0] < left + width + 4 && Math.abs(y - t[2]) < 13)) y += 1;
      taken.push([left, left + width, y]);
      this.write(c, text, left, y);
    }
  }

  write(c, text, x, y) {
    c.strokeText(text, x, y);
    c.fillText(text, x, y);
  }
}

