/** Their version with what was changed here since it was opened. */
export function keepChanged<Values extends object>(opened: Values, mine: Values, theirs: Values): Values {
  const isChanged = (name: string) =>
    JSON.stringify(mine[name as keyof Values]) !== JSON.stringify(opened[name as keyof Values]);
  return { ...theirs, ...Object.fromEntries(Object.entries(mine).filter(([name]) => isChanged(name))) };
}
