/** The form in which texts are compared: equal when trimmed and in lower case they are (decisions.md §8). Empty for none. */
export const comparable = (text: string | null): string => (text === null ? '' : text.trim().toLowerCase());
