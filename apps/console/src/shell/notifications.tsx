import '@mantine/notifications/styles.css';
import { Notifications as Shown, notifications } from '@mantine/notifications';
import type { ReactElement } from 'react';

export { notifications };

export const Notifications = (): ReactElement => <Shown position="top-right" />;
