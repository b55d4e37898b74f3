import type { NotificationData } from '@mantine/notifications';

/** Says something for some seconds, and to screen readers. Loaded when it is first needed. */
export async function notify(what: NotificationData): Promise<void> {
  const { notifications } = await import('./notifications.tsx');
  notifications.show(what);
}
