/** The form in which texts are compared: trimmed and in lower case (decisions.md §8). Empty for null. */
export const comparable = (text: string | null): string => (text === null ? '' : text.trim().toLowerCase());
