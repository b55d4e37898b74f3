import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { bytesIn, type Message, messagesIn, numberIn, readMessage, textIn } from './wire.js';

type Value = string | number | boolean;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, Value>> }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly isError: boolean;
  readonly resource: Readonly<Record<string, Value>>;
}

/** Receives traces over OTLP/HTTP, as a collector does. */
export class OtlpCollector {
  readonly spans: ReceivedSpan[] = [];
  /** Everything that it was sent, decompressed. */
  readonly bodies: Buffer[] = [];
  readonly requests: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const sent = Buffer.concat(chunks);
        const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
        this.requests.push({ url: `${request.method} ${request.url}`, headers: request.headers });
        this.bodies.push(body);
        this.spans.push(...spansIn(body));
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
  }

  static async start(): Promise<OtlpCollector> {
    const server = createServer();
    const collector = new OtlpCollector(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** All spans of a trace, the earliest first. */
  trace(traceId: string): ReceivedSpan[] {
    const spans = this.spans.filter((span) => span.traceId === traceId);
    return spans.sort((a, b) => Number(a.startNs - b.startNs));
  }

  childrenOf({ spanId }: ReceivedSpan): ReceivedSpan[] {
    return this.spans.filter(({ parentId }) => parentId === spanId).sort((a, b) => Number(a.startNs - b.startNs));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const ERROR = 2n;

/** The spans of an ExportTraceServiceRequest. Source: opentelemetry-proto, trace.proto. */
function spansIn(body: Buffer): ReceivedSpan[] {
  return messagesIn(readMessage(body), 1).flatMap((ofResource) => {
    const resource = attributesIn(readMessage(bytesIn(ofResource, 1)), 1);
    return messagesIn(ofResource, 2).flatMap((ofScope) => messagesIn(ofScope, 2).map((span) => spanOf(span, resource)));
  });
}

function spanOf(span: Message, resource: ReceivedSpan['resource']): ReceivedSpan {
  return {
    traceId: bytesIn(span, 1).toString('hex'),
    spanId: bytesIn(span, 2).toString('hex'),
    parentId: bytesIn(span, 4).toString('hex'),
    name: textIn(span, 5),
    kind: Number(numberIn(span, 6)),
    startNs: numberIn(span, 7)!,
    endNs: numberIn(span, 8)!,
    attributes: attributesIn(span, 9),
    events: messagesIn(span, 11).map((event) => ({ name: textIn(event, 2), attributes: attributesIn(event, 3) })),
    links: messagesIn(span, 13).map((link) => ({
      traceId: bytesIn(link, 1).toString('hex'),
      spanId: bytesIn(link, 2).toString('hex'),
    })),
    isError: messagesIn(span, 15).some((status) => numberIn(status, 3) === ERROR),
    resource,
  };
}

function attributesIn(message: Message, field: number): Record<string, Value> {
  return Object.fromEntries(
    messagesIn(message, field).map((pair) => [textIn(pair, 1), valueOf(readMessage(bytesIn(pair, 2)))]),
  );
}

function valueOf(value: Message): Value {
  if (value.has(1)) return textIn(value, 1);
  if (value.has(2)) return numberIn(value, 2) === 1n;
  return Number(numberIn(value, 3));
}
