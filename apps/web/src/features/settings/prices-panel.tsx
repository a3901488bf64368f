import { numberCountries } from '@app/domain/settings/calling-codes';
import {
  DEFAULT_CURRENCY,
  defaultPriceList,
  pricedCategories,
  priceLimits,
  type PriceList,
  type Prices,
} from '@app/domain/settings/price-list';
import { X } from 'lucide-react';
import { formatCountry, formatDay, formatMoney } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';

const FLAT_PRICE = 0.05;

/** What messages cost by country and category, for previews and results of campaigns. */
export function PricesPanel({
  currency,
  priceList,
  onChange,
}: {
  currency: string;
  priceList: PriceList | null;
  onChange: (patch: { currency?: string; priceList?: PriceList | null }) => void;
}) {
  const currencies = Intl.supportedValuesOf('currency').map(optionOf);
  return (
    <Panel title={t('settings.prices.title')} purpose={t('settings.prices.purpose')}>
      <div className="flex flex-col gap-4">
        <Switch
          label={t('settings.prices.on')}
          hint={t('settings.prices.flat', { price: formatMoney(FLAT_PRICE, DEFAULT_CURRENCY) })}
          checked={priceList !== null}
          onChange={(event) => onChange({ priceList: event.currentTarget.checked ? defaultPriceList : null })}
        />
        {priceList ? (
          <>
            <div className="grid gap-4 sm:grid-cols-2">
              <Field label={t('settings.prices.currency')} hint={t('settings.prices.currencyHint')}>
                <Combobox
                  value={optionOf(currency)}
                  onChange={(chosen) => {
                    if (chosen) onChange({ currency: chosen.value });
                  }}
                  options={currencies}
                />
              </Field>
              <Field label={t('settings.prices.asOf')}>
                <Input
                  type="date"
                  value={priceList.asOf}
                  onChange={(event) =>
                    onChange({ priceList: { ...priceList, asOf: event.currentTarget.value } })
                  }
                />
              </Field>
            </div>
            <Countries list={priceList} onChange={(list) => onChange({ priceList: list })} />
            <Button className="self-start" onClick={() => onChange({ priceList: defaultPriceList })}>
              {t('settings.prices.reset', { day: formatDay(defaultPriceList.asOf) })}
            </Button>
          </>
        ) : null}
      </div>
    </Panel>
  );
}

/** What the server would refuse. */
export function pricesProblem(list: PriceList | null): string | null {
  if (list === null) return null;
  if (list.asOf === '') return t('settings.prices.needsDay');
  const all = [list.others, ...Object.values(list.countries)].flatMap((prices) => Object.values(prices));
  const isRight = all.every((price) => price >= 0 && price <= priceLimits.price);
  return isRight ? null : t('settings.prices.wrong', { most: priceLimits.price });
}

function Countries({ list, onChange }: { list: PriceList; onChange: (list: PriceList) => void }) {
  const { countries, others } = list;
  const named = Object.entries(countries)
    .map(([country, prices]) => ({ country, prices, name: formatCountry(country) }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const missing = numberCountries
    .filter((country) => !(country in countries))
    .map((country) => ({ value: country, label: formatCountry(country) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  return (
    <div className="flex flex-col gap-3">
      <table className="w-full table-fixed text-left">
        <thead className="text-sm text-muted">
          <tr>
            <th className="py-1 pr-2 font-medium">{t('settings.prices.country')}</th>
            {pricedCategories.map((category) => (
              <th key={category} className="w-21 py-1 pr-2 font-medium sm:w-28">
                {t(`settings.prices.${category}`)}
              </th>
            ))}
            <th className="w-8" aria-hidden />
          </tr>
        </thead>
        <tbody>
          <Row
            name={t('settings.prices.others')}
            prices={others}
            onChange={(next) => onChange({ ...list, others: next })}
          />
          {named.map(({ country, name, prices }) => (
            <Row
              key={country}
              name={name}
              prices={prices}
              onChange={(next) => onChange({ ...list, countries: { ...countries, [country]: next } })}
              onRemove={() =>
                onChange({
                  ...list,
                  countries: Object.fromEntries(Object.entries(countries).filter(([one]) => one !== country)),
                })
              }
            />
          ))}
        </tbody>
      </table>
      <div className="max-w-80">
        <Field label={t('settings.prices.add')}>
          <Combobox
            value={null}
            onChange={(chosen) => {
              if (chosen) onChange({ ...list, countries: { ...countries, [chosen.value]: { ...others } } });
            }}
            options={missing}
          />
        </Field>
      </div>
    </div>
  );
}

function Row({
  name,
  prices,
  onChange,
  onRemove,
}: {
  name: string;
  prices: Prices;
  onChange: (prices: Prices) => void;
  onRemove?: () => void;
}) {
  return (
    <tr className="border-t border-border">
      <th scope="row" className="py-1.5 pr-2 font-normal break-words">
        {name}
      </th>
      {pricedCategories.map((category) => (
        <td key={category} className="py-1.5 pr-2">
          <Input
            type="number"
            inputMode="decimal"
            className="px-2! [appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none"
            min={0}
            max={priceLimits.price}
            step="0.0001"
            aria-label={t('settings.prices.of', { name, category: t(`settings.prices.${category}`) })}
            value={prices[category] < 0 ? '' : prices[category]}
            // An emptied field is no price, which the form refuses.
            onChange={(event) => {
              const typed = event.currentTarget.value;
              onChange({ ...prices, [category]: typed === '' ? -1 : Number(typed) });
            }}
          />
        </td>
      ))}
      <td>
        {onRemove ? (
          <IconButton size="small" label={t('settings.prices.remove', { name })} onClick={onRemove}>
            <X aria-hidden />
          </IconButton>
        ) : null}
      </td>
    </tr>
  );
}

function optionOf(currency: string) {
  return { value: currency, label: currency };
}
