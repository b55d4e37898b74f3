import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection has up to 16 requests in progress (in-flight.ts), and each of them may listen for its end. */
const MOST_LISTENERS = 50;

/**
 * Calls `tell` once, when the response or its connection has ended. It listens to both, because a response that waits
 * for others of its connection gets no event when the connection ends.
 */
export function onceEnded(response: ServerResponse, socket: Socket, tell: () => void): void {
  if (response.closed || socket.destroyed) {
    tell();
    return;
  }
  let hasEnded = false;
  const ended = () => {
    // The response ends inside the connection's event, which still calls all listeners that it had at the beginning.
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
