import type { FeatureNeeds } from './feature-needs.ts';

export const contactsNeeds: FeatureNeeds = {
  endpoints: {
    'contacts:read contacts:export': 'contacts.startExport',
    'contacts:read': `contacts.list contacts.summarize contacts.count contacts.getHomeCountry contacts.listTags contacts.get
      contacts.listConsents contactActs.countOptedOut contactLayout.get contactLayout.save contactMerges.listDuplicates
      customFields.list segments.list segments.count segments.get`,
    'contacts:read messages:read': 'contacts.listTimeline',
    'contacts:create': `contacts.create segments.create contactImports.list contactImports.get contactImports.listErrors
      contactImports.listReasons contactImports.readStart contactImports.readNumbers`,
    'contacts:update': `contacts.update contacts.bulkEdit contacts.recordConsent contactActs.recordConsents contactActs.edit
      contactMerges.setDistinct segments.update`,
    'contacts:create contacts:update': 'contactActs.saveAsSegment',
    'contacts:delete':
      'contacts.remove contacts.restore contacts.erase contactRemovals.start contactRemovals.undo segments.remove',
    'contacts:update contacts:delete': 'contactImports.undo contactMerges.merge contactMerges.undo',
    'contacts:update templates:update':
      'customFields.create customFields.update customFields.reorder customFields.getUsage',
    'contacts:update contacts:delete templates:update': 'customFields.remove',
  },
  addresses: {
    'contacts:read contacts:export': ['GET /api/contacts/export', 'POST /api/contacts/export'],
    'contacts:read contacts:export messages:read campaigns:read': ['GET /api/contacts/:contactId/data'],
    'contacts:create': ['POST /api/contacts/imports', 'GET /api/contacts/imports/:importId/failed-rows'],
  },
  reauthentication: ['contacts.startExport', 'GET /api/contacts/export', 'POST /api/contacts/export'],
  keys: {
    endpoints: `contacts.list contacts.summarize contacts.count contacts.getHomeCountry contacts.listTags contacts.get contacts.create
      contacts.update contacts.bulkEdit contacts.remove contacts.restore contacts.erase contacts.listTimeline
      contacts.listConsents contacts.recordConsent segments.list segments.count segments.get segments.create segments.update
      segments.remove customFields.list customFields.create customFields.update customFields.remove contactImports.list
      contactImports.get contactImports.listErrors contactImports.listReasons contactImports.undo`,
    addresses: ['POST /api/contacts/imports', 'GET /api/contacts/imports/:importId/failed-rows'],
  },
};
