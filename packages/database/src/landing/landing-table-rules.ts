import type { TableRules } from '../table-rules.ts';

export const landingTableRules = {
  sales_enquiries: {
    noContacts: 'people who ask about the product, who are contacts of nobody',
    isOfInstallation: true,
  },
} as const satisfies TableRules;
