import type { KindRules } from '../kind-rules.ts';

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The WhatsApp Business Platform. Its codes were stored before there was a second kind, so they have no name in front. */
export const whatsAppRules: KindRules = {
  name: 'whatsapp',
  title: 'WhatsApp',
  errors: {
    hasBareCodes: true,
    lasting: ['130403', '130472', '130497', '131021', '131026', '131050', '131062'],
    // 200 to 299 are all missing permissions.
    listed: (code) => (/^2\d\d$/.test(code) ? '200' : code),
    badValue: '100',
  },
  fileNames: {
    phoneHeadings:
      list(`whatsapp whatsappnumber whatsappphone whatsappphonenumber whatsappno wanumber waid wa whatsappnummer
      numerodewhatsapp numerowhatsapp`),
    nameHeadings: ['whatsappname'],
    optInHeadings: ['whatsappconsent', 'whatsappoptin', 'acceptswhatsappmarketing', 'whatsappeinwilligung'],
    optOutHeadings: ['whatsappoptout'],
    settings: ['whatsappNumber', 'whatsappConnected', 'whatsappConfig'],
  },
};
