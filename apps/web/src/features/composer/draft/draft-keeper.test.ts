import { describe, expect, test } from 'vitest';
import { createDraftKeeper, type KeptWriting, type Writing } from './draft-keeper.ts';

/** One server with the rules of the real one, and devices that type. */
function openServer() {
  type Row = Writing & { version: number; hasEnded: boolean };
  const nothing = { text: '', replyTo: null, files: [], buttons: [] };
  let row: Row | null = null;
  let lastId = 0;
  let isAway = false;
  const savings: string[] = [];
  const reach = () => {
    if (isAway) throw new TypeError('no connection');
  };
  const device = (memory: { kept: KeptWriting | null } = { kept: null }) => {
    const box = { text: '' };
    const keeper = createDraftKeeper(
      {
        read: () => memory.kept,
        write: (kept) => void (memory.kept = kept),
        load: async () => {
          reach();
          return row && !row.hasEnded ? { ...row } : null;
        },
        save: async ({ seen, ...writing }) => {
          const { writingId, text, replyTo, files, buttons } = writing;
          reach();
          savings.push(text);
          if (row?.hasEnded && row.writingId === writingId) return 'ended';
          if (row && !row.hasEnded && row.version !== seen) return 'changed';
          const version: number = (row?.version ?? 0) + 1;
          const isBlank = text.trim() === '' && replyTo === null && files.length + buttons.length === 0;
          row = { ...writing, version, hasEnded: isBlank };
          return version;
        },
        newId: () => `w${(lastId += 1)}`,
      },
      ({ text }) => void (box.text = text),
    );
    box.text = keeper.writing().text;
    const type = (text: string) => {
      box.text = text;
      keeper.change({ text });
    };
    return { ...keeper, box, memory, type };
  };
  return {
    device,
    savings,
    text: () => (row && !row.hasEnded ? row.text : null),
    send: (writingId: string) => {
      if (!row || row.writingId === writingId || row.hasEnded)
        row = { ...nothing, writingId, version: (row?.version ?? 0) + 1, hasEnded: true };
    },
    goAway: (away: boolean) => void (isAway = away),
  };
}

describe('a draft', () => {
  test('typed on one device is there on the other, and is gone when it was emptied', async () => {
    const server = openServer();
    const [desk, phone] = [server.device(), server.device()];
    desk.type('Hello');
    await desk.flush();
    await phone.refresh();
    expect(phone.box.text).toBe('Hello');
    phone.type('');
    await phone.flush();
    await desk.refresh();
    expect([desk.box.text, server.text()]).toEqual(['', null]);
    expect(desk.memory.kept).toBeNull();
  });

  test('is never changed while it is typed, and the last that was typed stays', async () => {
    const server = openServer();
    const [desk, phone] = [server.device(), server.device()];
    desk.type('From the desk');
    phone.type('From the phone');
    await desk.flush();
    await phone.refresh();
    expect(phone.box.text).toBe('From the phone');
    await phone.flush();
    await desk.refresh();
    expect([desk.box.text, server.text()]).toEqual(['From the phone', 'From the phone']);
  });

  test('typed on while it is saved is saved once more', async () => {
    const server = openServer();
    const desk = server.device();
    desk.type('a');
    const saved = desk.flush();
    desk.type('ab');
    await saved;
    expect([server.text(), server.savings]).toEqual(['ab', ['a', 'ab']]);
    await desk.flush();
    expect(server.savings).toHaveLength(2);
  });

  test('that was sent does not come back, whatever is still under way', async () => {
    const server = openServer();
    const desk = server.device();
    desk.type('Hello');
    await desk.flush();
    desk.type('Hello Ann');
    const late = desk.flush();
    const { writingId, text } = desk.take();
    expect([text, desk.box.text]).toEqual(['Hello Ann', '']);
    await late;
    await desk.refresh(); // the server does not know yet
    expect(desk.box.text).toBe('');
    server.send(writingId);
    await desk.refresh();
    expect([desk.box.text, server.text(), desk.memory.kept]).toEqual(['', null, null]);
  });

  test('sent elsewhere while it is typed on here goes on as a new one', async () => {
    const server = openServer();
    const [desk, phone] = [server.device(), server.device()];
    desk.type('Hello');
    await desk.flush();
    await phone.refresh();
    server.send(desk.take().writingId);
    phone.type('Hello, and');
    await phone.flush();
    expect([phone.box.text, server.text()]).toEqual(['Hello, and', 'Hello, and']);
    await desk.refresh();
    expect(desk.box.text).toBe('Hello, and');
  });

  test('has its files and buttons on every device, until it is sent', async () => {
    const server = openServer();
    const [desk, phone] = [server.device(), server.device()];
    const files = [{ fileId: 'f1', name: 'a.png', kind: 'image' as const, size: 5, caption: '' }];
    desk.change({ buttons: ['Yes', 'No'], files });
    await desk.flush();
    await phone.refresh();
    expect(phone.writing()).toMatchObject({ text: '', buttons: ['Yes', 'No'], files });
    phone.change({ files: [] });
    await phone.flush();
    await desk.refresh();
    expect(desk.writing()).toMatchObject({ buttons: ['Yes', 'No'], files: [] });
    desk.change({ files });
    await desk.flush();
    const taken = desk.take();
    expect([taken, desk.writing()]).toMatchObject([
      { buttons: ['Yes', 'No'], files },
      { buttons: [], files: [] },
    ]);
    server.send(taken.writingId);
    await phone.refresh();
    await desk.refresh();
    expect([phone.writing(), desk.writing()]).toMatchObject(Array(2).fill({ buttons: [], files: [] }));
    expect([phone.memory.kept, desk.memory.kept]).toEqual([null, null]);
  });

  test('without a connection is kept on the device, and saved when it is back', async () => {
    const server = openServer();
    const memory = { kept: null };
    const desk = server.device(memory);
    server.goAway(true);
    desk.type('Hello');
    await expect(desk.flush()).rejects.toThrow('no connection');
    const reloaded = server.device(memory);
    expect(reloaded.box.text).toBe('Hello');
    server.goAway(false);
    await reloaded.refresh();
    await reloaded.flush();
    expect([reloaded.box.text, server.text()]).toEqual(['Hello', 'Hello']);
  });

  test('follows one that waits to be sent without bringing it back', async () => {
    const server = openServer();
    const desk = server.device();
    desk.type('First');
    await desk.flush();
    const first = desk.take();
    desk.type('Second');
    await desk.flush();
    expect(server.text()).toBe('Second');
    server.send(first.writingId);
    await desk.refresh();
    expect([desk.box.text, server.text()]).toEqual(['Second', 'Second']);
  });
});
