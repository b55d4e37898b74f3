import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * One kept-alive HTTP/1.1 connection, one request at a time, with as little work per request as will do: the generator
 * shares the cores.
 */
export class Connection {
  constructor(host, port) {
    this.socket = connect({ host, port, noDelay: true });
    this.opened = new Promise((resolve, reject) => this.socket.once('connect', resolve).once('error', reject));
    this.chunks = [];
    this.received = 0;
    this.expected = null;
    this.done = null;
    this.socket.on('data', (data) => this.take(data));
    this.socket.on('close', () => this.done?.(0));
    this.socket.on('error', () => undefined);
  }

  /** @param {(status: number) => void} done gets the status; 0 when the connection was lost */
  send(request, done) {
    this.done = done;
    this.socket.write(request);
  }

  take(data) {
    this.chunks.push(data);
    this.received += data.length;
    if (this.expected === null) {
      const head = this.chunks.length === 1 ? data : Buffer.concat(this.chunks);
      const end = head.indexOf(HEAD_END);
      if (end === -1) return;
      const text = head.latin1Slice(0, end);
      this.status = Number(text.slice(9, 12));
      this.expected = end + 4 + Number(/\ncontent-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      if (Number.isNaN(this.expected)) throw new Error(`An answer without content-length: ${text}`);
    }
    if (this.received < this.expected) return;
    const { status, done } = this;
    this.chunks = [];
    this.received = 0;
    this.expected = null;
    this.done = null;
    done(status);
  }

  close() {
    this.done = null;
    this.socket.destroy();
  }
}
