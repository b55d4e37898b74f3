import { Anchor } from '@mantine/core';
import { createLink } from '@tanstack/react-router';

/** A link to a page of the console, typed by its route: `<PageLink to="/s/$siteId/customers" params={{ siteId }}>`. */
export const PageLink = createLink(Anchor<'a'>);
