import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { defaultLayout, fieldOfColumn, type ListLayout } from '@app/domain/contacts/contact-list-layout';
import { api } from '../../../shared/api.ts';
import { layoutOptions } from '../../../shared/contacts/contacts-queries.ts';
import { useCustomFields, type CustomField } from '../../../shared/contacts/custom-fields.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { createLatestSaver } from '../../../shared/save-latest.ts';
import { notify } from '../../../ui/toast.ts';

type Stored = Awaited<ReturnType<typeof api.contactLayout.get>>;

export type ListLayoutChoice = ReturnType<typeof useListLayout>;

/** Columns and density of the list as this person wants them here: a change shows at once and is saved behind it. */
export function useListLayout() {
  const queryClient = useQueryClient();
  const fields = useCustomFields();
  const stored = useQuery(layoutOptions).data;
  const { density, columns } = stored ?? defaultLayout;
  const [save] = useState(() =>
    createLatestSaver<Stored>(
      (wish) => api.contactLayout.save(wish),
      (error) => {
        notify.error(errorMessage(error));
        void queryClient.invalidateQueries(layoutOptions);
      },
    ),
  );
  return {
    density,
    columns: columns.filter((column) => isThere(column, fields)),
    fields: fields ?? nothing,
    change(part: Partial<ListLayout>) {
      const next = { ...defaultLayout, ...queryClient.getQueryData(layoutOptions.queryKey), ...part };
      const wish = { density: next.density, columns: [...next.columns] };
      void queryClient.cancelQueries({ queryKey: layoutOptions.queryKey });
      queryClient.setQueryData(layoutOptions.queryKey, wish);
      save(wish);
    },
  };
}

const nothing: readonly CustomField[] = [];

/** While the fields are on their way nothing is known to be gone, and nothing is shown of them. */
function isThere(column: string, fields: readonly CustomField[] | undefined): boolean {
  const id = fieldOfColumn(column);
  return id === null || (fields ?? nothing).some((field) => field.id === id);
}
