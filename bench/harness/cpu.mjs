import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10;

/** Parent, and CPU time in ms: of the process itself and of its children that have ended. */
function statOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
    return { parent: Number(fields[1]), own: (utime + stime) * TICK_MS, ended: (cutime + cstime) * TICK_MS };
  } catch {
    return null;
  }
}

export const cpuOf = (pid) => statOf(pid)?.own ?? 0;

/**
 * CPU time of a PostgreSQL server with all its processes, running and ended, in ms. Read again when a process ended
 * while its siblings were read: it may have been counted twice, or not at all.
 */
export function cpuOfServer(postmaster) {
  for (;;) {
    const before = statOf(postmaster);
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(statOf)
      .filter((stat) => stat?.parent === postmaster);
    const { own, ended } = statOf(postmaster);
    if (ended === before.ended) return children.reduce((sum, child) => sum + child.own + child.ended, own + ended);
  }
}

/** Resident memory of a process, in bytes. */
export function rssOf(pid) {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1_024;
}

/**
 * CPU time of `work` per order, in µs: of the server, and of Node processes that run before and after it, so that their
 * start, which takes as much as some thousand orders, is not counted.
 * @returns the result of `work`, and the time
 */
export async function withCpu({ server }, { orders, pids = [] }, work) {
  const now = () => cpuOfServer(server.pid) + pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  const before = now();
  const result = await work();
  return { result, micros: ((now() - before) * 1_000) / orders };
}
