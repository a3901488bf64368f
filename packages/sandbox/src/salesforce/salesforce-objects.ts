export interface SalesforceField {
  name: string;
  label: string;
  type:
    | 'id'
    | 'string'
    | 'email'
    | 'phone'
    | 'boolean'
    | 'double'
    | 'date'
    | 'datetime'
    | 'textarea'
    | 'picklist'
    | 'reference';
  updateable: boolean;
  externalId: boolean;
  /** Without a value nothing is created. */
  isRequired: boolean;
  /** Values of a picklist. */
  options?: readonly string[];
}

export type SalesforceType = 'Contact' | 'Lead' | 'Task';
export const salesforceTypes: readonly SalesforceType[] = ['Contact', 'Lead', 'Task'];
export const prefixOf = { Contact: '003', Lead: '00Q', Task: '00T' } as const;

/** Fields that an administrator adds: see the documentation of the connector. */
export const OPT_OUT_FIELD = 'HasOptedOutOfMessages__c';
export const PHONE_KEY_FIELD = 'Messaging_Phone__c';

const common = [
  field('Id', 'Record ID', 'id', { updateable: false }),
  field('IsDeleted', 'Deleted', 'boolean', { updateable: false }),
  field('CreatedDate', 'Created Date', 'datetime', { updateable: false }),
  field('LastModifiedDate', 'Last Modified Date', 'datetime', { updateable: false }),
  field('SystemModstamp', 'System Modstamp', 'datetime', { updateable: false }),
];

const ofPeople = [
  field('FirstName', 'First Name', 'string'),
  field('LastName', 'Last Name', 'string', { isRequired: true }),
  field('Name', 'Full Name', 'string', { updateable: false }),
  field('Email', 'Email', 'email'),
  field('Phone', 'Business Phone', 'phone'),
  field('MobilePhone', 'Mobile Phone', 'phone'),
  field('Title', 'Title', 'string'),
  {
    ...field('LeadSource', 'Lead Source', 'picklist'),
    options: ['Web', 'Phone Inquiry', 'Partner Referral', 'Purchased List', 'Other'],
  },
  field('HasOptedOutOfEmail', 'Email Opt Out', 'boolean'),
  field('DoNotCall', 'Do Not Call', 'boolean'),
  field(OPT_OUT_FIELD, 'Opted out of messages', 'boolean'),
];

export const salesforceFields: Readonly<Record<SalesforceType, readonly SalesforceField[]>> = {
  Contact: [
    ...common,
    ...ofPeople,
    field('MailingCity', 'Mailing City', 'string'),
    field('Birthdate', 'Birthdate', 'date'),
    field('Last_Visit__c', 'Last visit', 'datetime'),
    field('Score__c', 'Score', 'double'),
    field(PHONE_KEY_FIELD, 'Messaging phone', 'string', { externalId: true }),
  ],
  Lead: [
    ...common,
    ...ofPeople,
    field('Company', 'Company', 'string', { isRequired: true }),
    {
      ...field('Status', 'Lead Status', 'picklist'),
      options: [
        'Open - Not Contacted',
        'Working - Contacted',
        'Closed - Converted',
        'Closed - Not Converted',
      ],
    },
    field('IsConverted', 'Converted', 'boolean', { updateable: false }),
  ],
  Task: [
    ...common,
    field('WhoId', 'Name ID', 'reference'),
    field('Subject', 'Subject', 'string'),
    field('Status', 'Status', 'string'),
    field('ActivityDate', 'Due Date Only', 'date'),
    field('Description', 'Description', 'textarea'),
  ],
};

function field(
  name: string,
  label: string,
  type: SalesforceField['type'],
  rules: Partial<Pick<SalesforceField, 'updateable' | 'externalId' | 'isRequired'>> = {},
): SalesforceField {
  return { name, label, type, updateable: true, externalId: false, isRequired: false, ...rules };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';

/** 18 characters: the last three say which of the others are capitals, so that programs that know no capitals can tell ids apart. */
export function salesforceId(type: SalesforceType | 'Report', n: number): string {
  const prefix = type === 'Report' ? '00O' : prefixOf[type];
  const id = `${prefix}RO${n.toString(36).toUpperCase().padStart(10, '0')}`;
  let suffix = '';
  for (let block = 0; block < 3; block += 1) {
    let bits = 0;
    for (let place = 0; place < 5; place += 1)
      if (/[A-Z]/.test(id[block * 5 + place] ?? '')) bits |= 1 << place;
    suffix += LETTERS[bits] ?? '';
  }
  return id + suffix;
}
