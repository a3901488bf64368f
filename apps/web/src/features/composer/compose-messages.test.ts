import { expect, test } from 'vitest';
import { composeMessages, type Written } from './compose-messages.ts';

const blob = (name: string) => new File(['x'], name);
const here = { id: 'f1', isUploaded: false };
const picture = {
  ...here,
  file: blob('a.png'),
  name: 'a.png',
  kind: 'image' as const,
  caption: '',
  longestCaption: 10,
};
const song = {
  ...here,
  file: blob('b.mp3'),
  name: 'b.mp3',
  kind: 'audio' as const,
  caption: '',
  longestCaption: 0,
};
const nothing: Written = { text: '', files: [], buttons: [], replyTo: null };
const shown = (written: Partial<Written>) =>
  composeMessages({ ...nothing, ...written }).map((message) =>
    'files' in message
      ? { ...message, files: message.files.map(({ name, caption }) => [name, caption]) }
      : message,
  );

test.each([
  ['nothing', { text: ' \n' }, []],
  ['a text', { text: ' Hi ' }, [{ text: 'Hi' }]],
  ['an answer', { text: 'Hi', replyTo: 'm1' }, [{ text: 'Hi', replyTo: 'm1' }]],
  ['a picture with a text', { text: 'Look', files: [picture] }, [{ files: [['a.png', 'Look']] }]],
  [
    'a picture with a long text',
    { text: 'Look at this', files: [picture], replyTo: 'm1' },
    [{ text: 'Look at this', replyTo: 'm1' }, { files: [['a.png', undefined]] }],
  ],
  [
    'a song with a text',
    { text: 'Hear', files: [song] },
    [{ text: 'Hear' }, { files: [['b.mp3', undefined]] }],
  ],
  [
    'two files with captions',
    {
      files: [
        { ...picture, caption: ' One ' },
        { ...song, caption: 'Two' },
      ],
      replyTo: 'm1',
    },
    [
      {
        files: [
          ['a.png', 'One'],
          ['b.mp3', undefined],
        ],
        replyTo: 'm1',
      },
    ],
  ],
  [
    'a question with buttons',
    { text: 'Yes?', buttons: ['Yes', 'No'] },
    [{ interactive: { body: 'Yes?', buttons: [{ title: 'Yes' }, { title: 'No' }] } }],
  ],
  [
    'a text and files at a time',
    { text: 'Hear', files: [song], sendAt: new Date(0) },
    [
      { text: 'Hear', sendAt: '1970-01-01T00:00:00.000Z' },
      { files: [['b.mp3', undefined]], sendAt: '1970-01-01T00:00:00.000Z' },
    ],
  ],
] as [string, Partial<Written>, unknown[]][])('%s', (_, written, messages) =>
  expect(shown(written)).toEqual(messages),
);
