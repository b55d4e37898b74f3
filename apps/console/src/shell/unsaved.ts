import { useEffect } from 'react';

/** Forms of the page in which something is typed that is not saved. */
const forms = new Set<symbol>();
let isLeavingForGood = false;

/** Says that a form holds something, as long as it does. */
export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const form = Symbol('form');
    forms.add(form);
    return () => void forms.delete(form);
  }, [isChanged]);
}

export const hasUnsaved = (): boolean => forms.size > 0;

/** Whether a form may ask before the page is left or read anew. */
export const mayAskToStay = (): boolean => !isLeavingForGood;

/** For what must not stay, whatever is typed: the page of an account that is not logged in any more. */
export function leaveForGood(leave: () => void): void {
  isLeavingForGood = true;
  leave();
}
