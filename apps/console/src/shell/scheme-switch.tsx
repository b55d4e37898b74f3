import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../components/icon.tsx';

/** Dark or light: as the system says until it is chosen here, then as chosen in this browser. */
export function SchemeSwitch(): ReactElement {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  return (
    <Tooltip label={`Use ${other} colours`}>
      <ActionIcon variant="default" size="lg" aria-label={`Use ${other} colours`} onClick={() => setColorScheme(other)}>
        <Icon name={other === 'dark' ? 'moon' : 'sun'} />
      </ActionIcon>
    </Tooltip>
  );
}
