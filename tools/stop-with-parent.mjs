// Loaded before a child's own script: when the parent is gone, even killed, the child is asked to stop.
if (process.channel) {
  process.channel.unref();
  process.on('disconnect', () => {
    if (process.listenerCount('SIGTERM') === 0) process.exit(1);
    process.kill(process.pid, 'SIGTERM');
  });
}
