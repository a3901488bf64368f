import { Copy, Download, EllipsisVertical, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Avatar, AvatarGroup } from '../../ui/avatar.tsx';
import { Badge, RoleBadge } from '../../ui/badge.tsx';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, Drawer } from '../../ui/overlays/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { notify } from '../../ui/toast.ts';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';

const people = ['Ana Lima', 'Bo Chen', 'Cem Kaya', 'Dana Fox', 'Eli Roy', 'Fay Orr', 'Gus Ito'].map(
  (name) => ({
    id: name,
    name,
  }),
);

export function ActionSamples() {
  const confirm = useConfirm();
  const [layer, setLayer] = useState<'dialog' | 'drawer'>();
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title="Buttons">
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" icon={<Plus aria-hidden />}>
            Add Contact
          </Button>
          <Button>Secondary</Button>
          <Button variant="ghost">Ghost</Button>
          <Button variant="danger">Delete</Button>
          <Button variant="danger-ghost">Remove</Button>
          <Button variant="primary" loading>
            Saving
          </Button>
          <Button disabled>Disabled</Button>
          <LinkButton href="#actions">Link</LinkButton>
          <Button size="small">Small</Button>
          <Button size="large" variant="primary">
            Large
          </Button>
          <IconButton label="Edit">
            <Pencil aria-hidden />
          </IconButton>
          <CopyButton text="copied text" />
          <CopyButton text="copied text" label="Copy link" />
        </div>
      </Panel>
      <Panel title="Layers">
        <div className="flex flex-wrap items-center gap-2">
          <Button onClick={() => setLayer('dialog')}>Dialog</Button>
          <Button onClick={() => setLayer('drawer')}>Drawer</Button>
          <Button
            onClick={() =>
              void confirm({
                title: 'Are you sure you want to delete this contact?',
                text: 'You can undo this for 30 days.',
                confirmLabel: 'Delete',
              }).then((yes) => notify.info(yes ? 'Confirmed' : 'Cancelled'))
            }
          >
            Confirm
          </Button>
          <Menu
            trigger={
              <IconButton label="Menu" variant="secondary">
                <EllipsisVertical aria-hidden />
              </IconButton>
            }
            entries={[
              { label: 'Edit', icon: <Pencil aria-hidden />, shortcut: 'E', onSelect: () => undefined },
              { label: 'Copy', icon: <Copy aria-hidden />, checked: true, onSelect: () => undefined },
              {
                label: 'Export',
                icon: <Download aria-hidden />,
                disabled: true,
                hint: 'Needs a selection',
                onSelect: () => undefined,
              },
              'separator',
              { label: 'Delete', icon: <Trash2 aria-hidden />, danger: true, onSelect: () => undefined },
            ]}
          />
          <Popover trigger={<Button>Popover</Button>} title="Window">
            Free text can be sent for 23 hours.
          </Popover>
          <Tooltip text="Counts people, not messages">
            <Button variant="ghost">Tooltip</Button>
          </Tooltip>
          <span>
            <Kbd>Ctrl</Kbd> <Kbd>K</Kbd>
          </span>
        </div>
        <Dialog
          open={layer === 'dialog'}
          onOpenChange={() => setLayer(undefined)}
          title="Add Contact"
          description="They can be messaged once they opted in."
          footer={
            <>
              <Button onClick={() => setLayer(undefined)}>Cancel</Button>
              <Button variant="primary">Save</Button>
            </>
          }
        >
          Content of the dialog.
        </Dialog>
        <Drawer open={layer === 'drawer'} onOpenChange={() => setLayer(undefined)} title="Ana Lima">
          Details beside the list.
        </Drawer>
      </Panel>
      <Panel title="Notifications">
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => notify.success('Contact added successfully!')}>Success</Button>
          <Button onClick={() => notify.error('Upload failed. Please try again.')}>Error</Button>
          <Button
            onClick={() =>
              notify.info('Added 12 contacts with tag "vip"', {
                action: { label: 'Undo', onSelect: () => undefined },
              })
            }
          >
            Info with action
          </Button>
        </div>
      </Panel>
      <Panel title="Badges and people">
        <div className="flex flex-wrap items-center gap-2">
          <Badge>Draft</Badge>
          <Badge tone="info" dot>
            Scheduled
          </Badge>
          <Badge tone="success" dot>
            Running
          </Badge>
          <Badge tone="warning">Paused</Badge>
          <Badge tone="danger">Failed</Badge>
          <Badge tone="primary">vip</Badge>
          <RoleBadge role="admin">Admin</RoleBadge>
          <RoleBadge role="manager">Manager</RoleBadge>
          <RoleBadge role="agent">Agent</RoleBadge>
          <RoleBadge role="viewer">Viewer</RoleBadge>
          <Avatar name="Ana Lima" size="small" />
          <Avatar name="Ana Lima" />
          <Avatar name="Ana Lima" size="large" />
          <AvatarGroup people={people} label="7 people online" />
          <AvatarGroup people={people} max={3} label="7 people online" />
        </div>
      </Panel>
    </div>
  );
}
