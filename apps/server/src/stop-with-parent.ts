/**
 * Stops this process when the launcher that started it is gone, even by `kill -9`: the launcher holds the
 * other end of an IPC channel, and only its end closes that channel.
 */
export function stopWithParent(stop: () => void): void {
  if (process.channel) process.on('disconnect', stop);
}
