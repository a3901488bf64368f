import { listOf, objectOf, objectsOf, textOf } from '../../core/json.ts';
import { invalid, missing, need } from './content-checks.ts';

/** Sections of products, as a list message and a multi-product template have them. */
export function checkProductSections(value: unknown): void {
  const sections = objectsOf(value);
  if (sections.length === 0) missing('action.sections');
  if (sections.length > 10) invalid('there are at most 10 sections of products');
  let products = 0;
  for (const section of sections) {
    if (sections.length > 1 || textOf(section['title']) !== undefined)
      need(section['title'], 'section title', 24);
    const items = listOf(section['product_items']).map(objectOf);
    if (items.length === 0) missing('product_items');
    for (const item of items) need(item['product_retailer_id'], 'product_retailer_id', 512);
    products += items.length;
  }
  if (products > 30) invalid('there are at most 30 products');
}
