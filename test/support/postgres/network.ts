import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Between a process and its database: it can swallow answers, or keep one for a while. */
export class Network {
  /** While true, no answer arrives, and no connection ends. */
  isSwallowing = false;
  /** Connections whose first words contain this are refused. */
  refused: string | null = null;
  refusals = 0;
  /** The next statement that contains this is not passed on: its connection is cut. */
  cut: string | null = null;
  private held: { readonly text: string; readonly after: string } | null = null;
  private readonly kept: (() => void)[] = [];
  private readonly sockets: Socket[] = [];
  private readonly server = createServer((client) => this.join(client));

  private constructor(private readonly target: URL) {}

  static async before(database: { readonly url: string }): Promise<Network> {
    const network = new Network(new URL(database.url));
    await new Promise<void>((resolve) => network.server.listen(0, '127.0.0.1', resolve));
    return network;
  }

  /** Of the database, as it is seen from the other side. */
  get url(): string {
    const through = new URL(this.target);
    through.port = String((this.server.address() as AddressInfo).port);
    return through.href;
  }

  /**
   * The answer to the next simple query of this text, on a connection that `after` has passed, arrives when `letGo` is
   * called.
   */
  keepAnswerTo(query: string, after: string): void {
    this.held = { text: `${query}\0`, after };
  }

  letGo(): void {
    for (const pass of this.kept.splice(0)) pass();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private join(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    let isKept = false;
    let isAfter = false;
    client.once('data', (data) => {
      if (this.refused === null || !data.includes(this.refused)) return;
      this.refusals += 1;
      client.destroy();
    });
    client.on('data', (data) => {
      if (this.cut !== null && data.includes(this.cut)) {
        this.cut = null;
        client.destroy();
        return;
      }
      if (this.held !== null && data.includes(this.held.after)) isAfter = true;
      if (this.held !== null && isAfter && data.includes(this.held.text)) {
        this.held = null;
        isKept = true;
      }
      server.write(data);
    });
    server.on('data', (data) => {
      if (this.isSwallowing) return;
      if (!isKept) return void client.write(data);
      this.kept.push(() => {
        isKept = false;
        client.write(data);
      });
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => other.destroy());
    }
  }
}
