/**
 * A message of Protocol Buffers: by field number, what it has, in order. Numbers are as they are on the wire; the rest
 * are bytes.
 */
export type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

/** Reads a message without its schema. Source: protobuf.dev, Encoding. */
export function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('The message was cut short.');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const piece = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('The message was cut short.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const valueOf = (type: number): bigint | Buffer => {
    if (type === 0) return varint();
    if (type === 1) return piece(8).readBigUInt64LE();
    if (type === 2) return piece(Number(varint()));
    if (type === 5) return BigInt(piece(4).readUInt32LE());
    throw new Error(`There is no wire type ${type}.`);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const field = fields.get(tag >> 3) ?? [];
    field.push(valueOf(tag & 7));
    fields.set(tag >> 3, field);
  }
  return fields;
}

export const numberIn = (message: Message, field: number): bigint | undefined => {
  const value = message.get(field)?.[0];
  return typeof value === 'bigint' ? value : undefined;
};
export const bytesIn = (message: Message, field: number): Buffer => {
  const value = message.get(field)?.[0];
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
};
export const textIn = (message: Message, field: number): string => bytesIn(message, field).toString('utf8');
export const messagesIn = (message: Message, field: number): Message[] =>
  (message.get(field) ?? []).map((value) => readMessage(value as Buffer));
