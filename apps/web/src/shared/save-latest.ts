/**
 * For what is a state and no act, such as an order or a switch: each wish may be made at once, one is saved at a time, and
 * of those made meanwhile only the newest is saved after it. `save` is not called for what was just saved.
 */
export function createLatestSaver<Wish>(
  save: (wish: Wish) => Promise<unknown>,
  onFailure: (error: unknown) => void,
): (wish: Wish) => void {
  let wanted: string | null = null;
  let isSaving = false;

  async function saveAll(): Promise<void> {
    isSaving = true;
    try {
      for (let saved: string | null = null; wanted !== null && wanted !== saved;) {
        saved = wanted;
        await save(JSON.parse(saved) as Wish); // of this type when it was written
      }
    } catch (error) {
      onFailure(error);
    } finally {
      [wanted, isSaving] = [null, false];
    }
  }

  return (wish) => {
    wanted = JSON.stringify(wish);
    if (!isSaving) void saveAll();
  };
}
