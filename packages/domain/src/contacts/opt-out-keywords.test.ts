import { describe, expect, test } from 'vitest';
import { endsConsent, neverRenews, renewsConsent, saysNothing } from './opt-out/opt-out-cases.ts';
import { defaultConsentWords, findConsentWord, readConsentKeyword } from './opt-out-keywords.ts';

const saying = (said: string | null, texts: readonly string[]) =>
  test.each(texts)(`%j says ${said}`, (text) => {
    expect(readConsentKeyword(text)).toBe(said);
  });

describe('somebody who wants no more', () => {
  describe('in English', () => {
    saying('stop', [
      ...[
        'STOP',
        ' Stop. ',
        'stop!!!',
        '“STOP”',
        'Stop 🙏',
        'Stop, please!',
        'Please stop',
        'opt-out',
        'Opt out',
        'STOPALL',
      ],
      ...[
        'Unsubscribe',
        'unsubscribe me please',
        'Hi, please stop, thanks',
        'stop now',
        'No more messages',
        'Remove me!',
      ],
      ...["Don't contact me", 'CANCEL', 'Quit', 'END', 'Stop texting me'],
    ]);
  });
  describe('in Spanish', () => {
    saying('stop', [
      ...[
        'BAJA',
        'Dar de baja',
        'dame de baja por favor',
        'No más',
        'no mas',
        '¡No más mensajes!',
        'Parar',
        'Cancelar, por favor.',
      ],
      ...['Hola, baja, gracias', 'No quiero más mensajes'],
    ]);
  });
  describe('in French', () => {
    saying('stop', [
      ...[
        'Arrêt',
        'ARRET',
        'arrêtez',
        'Désabonner',
        'desabonner',
        'Me désabonner svp',
        'Désinscription',
        "Stop s'il vous plaît",
      ],
      ...['STOP SMS', 'Stop pub', 'Bonjour, stop, merci', 'Plus de messages'],
    ]);
  });
  describe('in German', () => {
    saying('stop', [
      ...[
        'STOP bitte',
        'Stopp',
        'Abmelden',
        'Bitte abmelden, danke',
        'abbestellen',
        'Keine Werbung mehr',
        'Keine Nachrichten mehr!',
      ],
      ...['Hallo, bitte abmelden', 'Kündigen'],
    ]);
  });
  describe('in Portuguese', () => {
    saying('stop', [
      ...[
        'SAIR',
        'Sair, por favor',
        'Parar',
        'Pare',
        'Descadastrar',
        'Não quero mais',
        'nao quero mais mensagens',
        'Oi, sair, obrigada',
      ],
    ]);
  });
  test('a word that was put together of letters and their marks', () => {
    expect(readConsentKeyword('Arre\u0302t')).toBe('stop');
  });
});

describe.each(Object.entries(endsConsent))('somebody who wants no more: %s', (_, texts) => {
  saying('stop', texts);
});

describe('somebody who wants to hear of us again, by the word alone', () => {
  saying('start', ['START', 'Start!', 'Unstop', 'opt-in', 'Suscribir', ...renewsConsent]);
});

describe('somebody who says something else', () => {
  saying(null, [
    ...['', '   ', '🙏', 'please', 'Thank you', 'ok', 'hi', 'yes', 'no', 'Para', 'Fin'],
    ...[
      'Please stop by at the shop',
      'Stop 5',
      'Nonstop please',
      'Please do not stop',
      'stop my order, please',
      'Can you cancel my order?',
    ],
    ...[
      'When does it end',
      'I cannot unsubscribe',
      'bus stop',
      'Where is the stop?',
      'The end of the month',
      'Wann muss ich mich abmelden',
    ],
    ...[
      'Quiero cancelar mi pedido',
      'La baja de precios',
      'No más tarde de las 5',
      'Arrêt de bus',
      'On peut sortir',
      'Vou sair agora de casa',
    ],
    ...[
      'Quero sair hoje',
      'Kann ich das Abo kündigen und neu bestellen',
      'Start, please',
      'start?',
      'When do you start?',
      'Subscribe to what?',
    ],
    `stop${' '.repeat(80)}. I was joking`,
    ...saysNothing,
    ...neverRenews,
  ]);
});

describe('words of a workspace', () => {
  const words = {
    ...defaultConsentWords,
    en: { stop: ['Enough is enough'], start: ['Tell me more'] },
    de: { stop: ['Tschüss'], start: [] },
  };

  test.each([
    ['enough is ENOUGH!', 'stop', 'en'],
    ['Tschuss, bitte', 'stop', 'de'],
    ['tell me more', 'start', 'en'],
    ['baja', 'stop', 'es'],
    // What nobody takes away.
    ['Stop', 'stop', 'es'],
    ['unsubscribe', 'stop', 'en'],
  ])('%j says %s, in %s', (text, kind, language) => {
    expect(findConsentWord(text, words)).toEqual({ kind, language: expect.any(String) });
    if (text !== 'Stop') expect(findConsentWord(text, words)?.language).toBe(language);
  });

  test.each(['quit', 'abmelden', 'subscribe'])('%j says nothing any more', (text) => {
    expect(findConsentWord(text, words)).toBeNull();
    expect(findConsentWord(text)).not.toBeNull();
  });
});
