import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection has up to 16 requests under way (in-flight.ts), and each of them may wait for its end. */
const MOST_LISTENERS = 50;

/**
 * Calls `tell` once, when the response has ended or its connection has, whichever comes first: a response that waits behind others of its
 * connection is told nothing when that ends.
 */
export function onceEnded(response: ServerResponse, socket: Socket, tell: () => void): void {
  if (response.closed || socket.destroyed) {
    tell();
    return;
  }
  let hasEnded = false;
  const ended = () => {
    // The response ends within its connection's own event, which still calls everybody whom it found when it began.
    if (hasEnded) return;
    hasEnded = true;
    response.off('close', ended);
    socket.off('close', ended);
    tell();
  };
  if (socket.getMaxListeners() < MOST_LISTENERS) socket.setMaxListeners(MOST_LISTENERS);
  response.on('close', ended);
  socket.on('close', ended);
}
