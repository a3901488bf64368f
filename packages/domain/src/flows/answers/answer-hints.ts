import { chooseLanguage, type InterfaceLanguage } from '../../text/interface-language.ts';
import type { AnswerType } from './read-answer.ts';

type Texts = Record<InterfaceLanguage, string>;

/** What customers read, so it stands here and not in the catalogues of the web. */
const hints: Record<AnswerType, Texts> = {
  text: {
    en: 'Please answer with a text.',
    es: 'Responda con un texto, por favor.',
    fr: 'Veuillez répondre par un texte.',
    de: 'Bitte antworten Sie mit einem Text.',
    pt: 'Por favor, responda com um texto.',
  },
  number: {
    en: 'Please answer with a number, such as 12.',
    es: 'Responda con un número, por ejemplo 12.',
    fr: 'Veuillez répondre par un nombre, par exemple 12.',
    de: 'Bitte antworten Sie mit einer Zahl, zum Beispiel 12.',
    pt: 'Por favor, responda com um número, por exemplo 12.',
  },
  email: {
    en: 'Please send an email address, such as name@example.com.',
    es: 'Envíe una dirección de correo, por ejemplo nombre@example.com.',
    fr: 'Veuillez envoyer une adresse e-mail, par exemple nom@example.com.',
    de: 'Bitte senden Sie eine E-Mail-Adresse, zum Beispiel name@example.com.',
    pt: 'Por favor, envie um endereço de e-mail, por exemplo nome@example.com.',
  },
  date: {
    en: 'Please send a date, such as 31.12.2026 or 2026-12-31.',
    es: 'Envíe una fecha, por ejemplo 31.12.2026 o 2026-12-31.',
    fr: 'Veuillez envoyer une date, par exemple 31.12.2026 ou 2026-12-31.',
    de: 'Bitte senden Sie ein Datum, zum Beispiel 31.12.2026 oder 2026-12-31.',
    pt: 'Por favor, envie uma data, por exemplo 31.12.2026 ou 2026-12-31.',
  },
  phone: {
    en: 'Please send a phone number with its country code, such as +1 415 555 0100.',
    es: 'Envíe un número de teléfono con el prefijo del país, por ejemplo +34 600 000 000.',
    fr: 'Veuillez envoyer un numéro de téléphone avec l’indicatif du pays, par exemple +33 6 00 00 00 00.',
    de: 'Bitte senden Sie eine Telefonnummer mit Ländervorwahl, zum Beispiel +49 30 000000.',
    pt: 'Por favor, envie um número de telefone com o código do país, por exemplo +55 11 90000 0000.',
  },
  choice: {
    en: 'Please choose one of the answers.',
    es: 'Elija una de las respuestas, por favor.',
    fr: 'Veuillez choisir une des réponses.',
    de: 'Bitte wählen Sie eine der Antworten.',
    pt: 'Por favor, escolha uma das respostas.',
  },
};

const listButtons: Texts = { en: 'Choose', es: 'Elegir', fr: 'Choisir', de: 'Auswählen', pt: 'Escolher' };

/** What is said before a question that is asked again, in the language of the contact. */
export function answerHint(type: AnswerType, language: unknown): string {
  return hints[type][languageOf(language)];
}

/** The button that opens a list of answers. */
export function listButton(language: unknown): string {
  return listButtons[languageOf(language)];
}

function languageOf(language: unknown): InterfaceLanguage {
  return chooseLanguage([typeof language === 'string' ? language.replaceAll('_', '-') : null]);
}
