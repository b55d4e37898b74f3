/**
 * `start` loads it into API and worker before their own code. When the `start` process is killed (SIGKILL), its channel
 * to them closes, and they stop as after SIGTERM.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
