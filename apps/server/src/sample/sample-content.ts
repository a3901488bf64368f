import type { TemplateCategoryName, TemplateComponent, TemplateStatus } from '@app/domain/templates/template';

export const sampleContacts = [
  { name: 'Ann Lee', phone: '+447700900201', email: 'ann.lee@example.com', tags: ['customer', 'vip'] },
  { name: 'Ben Osei', phone: '+447700900202', email: 'ben.osei@example.com', tags: ['lead'] },
] as const;

type SampleTemplate = {
  name: string;
  category: TemplateCategoryName;
  status: TemplateStatus;
  components: TemplateComponent[];
};

export const sampleTemplates: readonly [SampleTemplate, ...SampleTemplate[]] = [
  {
    name: 'Welcome Message',
    category: 'welcome',
    status: 'approved',
    components: [
      { type: 'header', format: 'text', text: 'Welcome!' },
      {
        type: 'body',
        text: 'Hello {{name}}, thank you for joining {{business}}. Reply to this message whenever we can help.',
        example: { body_text: [['Ann', 'Sample Business']] },
      },
      { type: 'footer', text: 'Reply STOP to opt out' },
    ],
  },
  {
    name: 'Order Update',
    category: 'utility',
    status: 'approved',
    components: [
      {
        type: 'body',
        text: 'Hello {{name}}, your order is on its way and should reach you within two days.',
        example: { body_text: [['Ann']] },
      },
      {
        type: 'button',
        buttons: [
          { type: 'url', text: 'Track order', url: 'https://shop.example/orders' },
          { type: 'quick_reply', text: 'I have a question' },
        ],
      },
    ],
  },
  {
    name: 'Weekend Offer',
    category: 'promotion',
    status: 'draft',
    components: [
      {
        type: 'body',
        text: 'Hi {{name}}, this weekend everything at {{business}} is 20% off. See you soon!',
        example: { body_text: [['Ann', 'Sample Business']] },
      },
    ],
  },
];
