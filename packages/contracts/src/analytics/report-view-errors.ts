/** What the API refuses of saved views and shared links of analytics; a part of the one table of errors. */
export const reportViewErrors = {
  report_view_not_found: { status: 404, message: 'There is no such view.' },
  report_view_taken: { status: 409, message: 'Another view has this name.' },
  report_view_changed: { status: 409, message: 'The view was renamed since it was read.' },
  report_views_full: { status: 409, message: 'There are as many views as there can be.' },
  report_link_not_found: { status: 404, message: 'There is no such link.' },
  report_links_full: { status: 409, message: 'There are as many links as there can be.' },
} as const;
