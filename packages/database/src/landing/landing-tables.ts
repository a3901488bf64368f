import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const salesEnquiries = pgTable('sales_enquiries', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  email: text().notNull(),
  company: text().notNull().default(''),
  message: text().notNull(),
  ipAddress: text('ip_address'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
});
