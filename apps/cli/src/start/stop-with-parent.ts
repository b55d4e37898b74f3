/**
 * Loaded into API and worker before their own code when `start` runs them: where that process dies without a word
 * (SIGKILL), its channel to them closes, and they stop as on SIGTERM.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
