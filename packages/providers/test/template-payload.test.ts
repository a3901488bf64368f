import { describe, expect, it } from 'vitest';
import type { ChannelTemplateDraft } from '@app/domain/messaging/channel-template';
import { fillTemplate } from '@app/domain/messaging/template-filling';
import { describeContent } from '../src/whatsapp-cloud/message-payload.ts';
import { readPlatformTemplate, writeTemplateCreateBody } from '../src/whatsapp-cloud/template-payload.ts';

const draft: ChannelTemplateDraft = {
  name: 'order_update',
  language: 'en_GB',
  category: 'utility',
  header: { format: 'text', text: 'Order {{orderNo}}' },
  body: 'Hello {{firstName}}, order {{orderNo}} has left our shop.',
  footer: 'Reply STOP to opt out',
  buttons: [
    { type: 'url', text: 'Track', url: 'https://shop.example/t/{{orderNo}}' },
    { type: 'quick_reply', text: 'Stop updates' },
    { type: 'phone_number', text: 'Call us', phoneNumber: '+447700900100' },
  ],
  samples: { orderNo: 'A-17', firstName: 'Ann' },
};

describe('creating', () => {
  it('writes all components with examples, and quick replies together', () => {
    expect(writeTemplateCreateBody(draft)).toEqual({
      name: 'order_update',
      language: 'en_GB',
      category: 'UTILITY',
      parameter_format: 'named',
      components: [
        {
          type: 'HEADER',
          format: 'TEXT',
          text: 'Order {{order_no}}',
          example: { header_text_named_params: [{ param_name: 'order_no', example: 'A-17' }] },
        },
        {
          type: 'BODY',
          text: 'Hello {{first_name}}, order {{order_no}} has left our shop.',
          example: {
            body_text_named_params: [
              { param_name: 'first_name', example: 'Ann' },
              { param_name: 'order_no', example: 'A-17' },
            ],
          },
        },
        { type: 'FOOTER', text: 'Reply STOP to opt out' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Stop updates' },
            { type: 'URL', text: 'Track', url: 'https://shop.example/t/{{1}}', example: ['A-17'] },
            { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+447700900100' },
          ],
        },
      ],
    });
  });

  it('writes positional examples as a list of lists', () => {
    const body = writeTemplateCreateBody({
      name: 't',
      language: 'en',
      category: 'marketing',
      header: { format: 'image', sampleHandle: '4::aW1h' },
      body: 'Hi {{1}} of {{2}}',
      samples: { '1': 'Ann', '2': 'London' },
    });
    expect(body['components']).toEqual([
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1h'] } },
      { type: 'BODY', text: 'Hi {{1}} of {{2}}', example: { body_text: [['Ann', 'London']] } },
    ]);
  });
});

describe('sending', () => {
  it('fills header, body and buttons by the names and places that were created', () => {
    const content = fillTemplate(draft, {
      values: { firstName: 'Ann\nLee', orderNo: 'A 17/ä' },
      payloads: { 1: 'STOP_UPDATES' },
    });
    expect(describeContent(content)).toEqual({
      type: 'template',
      template: {
        name: 'order_update',
        language: { code: 'en_GB' },
        components: [
          { type: 'header', parameters: [{ type: 'text', text: 'A 17/ä', parameter_name: 'order_no' }] },
          {
            type: 'body',
            parameters: [
              { type: 'text', parameter_name: 'first_name', text: 'Ann Lee' },
              { type: 'text', parameter_name: 'order_no', text: 'A 17/ä' },
            ],
          },
          {
            type: 'button',
            sub_type: 'quick_reply',
            index: '0',
            parameters: [{ type: 'payload', payload: 'STOP_UPDATES' }],
          },
          {
            type: 'button',
            sub_type: 'url',
            index: '1',
            parameters: [{ type: 'text', text: 'A%2017%2F%C3%A4' }],
          },
        ],
      },
    });
  });

  it('leaves a variable without a value empty, whatever its name', () => {
    const content = fillTemplate(
      { name: 't', language: 'en', category: 'utility', body: 'Hi {{constructor}} there' },
      { values: {} },
    );
    expect(content.body).toEqual({ format: 'named', values: { constructor: '' } });
  });

  it('orders positional values by number', () => {
    const content = fillTemplate(
      { name: 't', language: 'en', category: 'utility', body: 'From {{2}} to {{1}}' },
      { values: { '1': 'A', '2': 'B' } },
    );
    expect(content.body).toEqual({ format: 'positional', values: ['A', 'B'] });
  });

  it('puts media and a place into the header', () => {
    const base = { name: 't', language: 'en', category: 'utility', body: 'Hi' } as const;
    const document = fillTemplate(
      { ...base, header: { format: 'document' } },
      { values: {}, headerMedia: { id: '9000' }, headerFilename: 'a.pdf' },
    );
    expect(describeContent(document)).toMatchObject({
      template: {
        components: [
          { type: 'header', parameters: [{ type: 'document', document: { id: '9000', filename: 'a.pdf' } }] },
        ],
      },
    });
    const place = fillTemplate(
      { ...base, header: { format: 'location' } },
      { values: {}, headerLocation: { latitude: 1, longitude: 2, name: 'Shop' } },
    );
    expect(place.header).toEqual({ type: 'location', location: { latitude: 1, longitude: 2, name: 'Shop' } });
  });

  it('leaves out components without variables', () => {
    const content = fillTemplate(
      { name: 'hello_world', language: 'en_US', category: 'utility', body: 'Hello World' },
      { values: { name: 'unused' } },
    );
    expect(describeContent(content)).toEqual({
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
  });
});

describe('reading', () => {
  it('understands what the platform holds', () => {
    expect(
      readPlatformTemplate({
        id: 700000000000001,
        name: 'order_update',
        language: 'en-GB',
        status: 'APPROVED',
        category: 'UTILITY',
        parameter_format: 'NAMED',
        rejected_reason: 'NONE',
        quality_score: { score: 'GREEN', date: 1 },
        components: [
          { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://cdn.example/1'] } },
          { type: 'BODY', text: 'Hi {{name}}' },
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'QUICK_REPLY', text: 'Stop' },
              { type: 'OTP', text: 'Copy' },
            ],
          },
        ],
      }),
    ).toEqual({
      id: '700000000000001',
      name: 'order_update',
      language: 'en_GB',
      status: 'APPROVED',
      category: 'utility',
      quality: 'GREEN',
      rejectedReason: null,
      parameterFormat: 'named',
      header: { format: 'image' },
      body: 'Hi {{name}}',
      footer: null,
      buttons: [
        { type: 'quick_reply', text: 'Stop' },
        { type: 'other', vendorType: 'OTP', text: 'Copy' },
      ],
    });
  });

  it.each([null, 'x', {}, { id: '1' }, []])('gives nothing for %o', (node) => {
    expect(readPlatformTemplate(node)).toBeUndefined();
  });
});
