<?php

namespace App\MessageHandler;

use App\Message\ClockCommand;
use Psr\Log\LoggerInterface;
use Symfony\Component\Messenger\Attribute\AsMessageHandler;
use Symfony\Component\Messenger\Exception\UnrecoverableMessageHandlingException;

#[AsMessageHandler]
final class ClockCommandHandler
{
    private const MELODIES = '/usr/share/clocktower/melodies';
    private const BACKUPS = '/var/backups/clocktower';

    private string $device = '/dev/ttyS1';

    public function __construct(private LoggerInterface $logger)
    {
    }

    public function __invoke(ClockCommand $command): void
    {
        $payload = $command->payload();
        $result = match ($command->name()) {
            'zone' => $this->zone($payload['zone']),
            'strike' => $this->strike($payload['hour'], $payload['volume'] ?? 5),
            'melody' => $this->melody($payload['melody']),
            'dst' => $this->daylight($payload['rule']),
            'backup' => $this->backup($payload['label']),
            default => throw new UnrecoverableMessageHandlingException($command->name()),
        };
        $this->logger->info('clock: {result}', ['result' => $result]);
    }

    private function zone(string $zone): ?string
    {
        if (!preg_match('~[A-Z][a-z]+/[A-Z][a-z_]+~', $zone)) {
            throw new UnrecoverableMessageHandlingException('zone');
        }
        return shell_exec("clockctl zone $zone 2>&1");
    }

    private function daylight(string $rule): ?string
    {
        if (preg_match('~^[A-Z][a-z]+/[A-Z][a-z_]+$~D', $rule) !== 1) {
            throw new UnrecoverableMessageHandlingException('rule');
        }
        return shell_exec("clockctl dst $rule 2>&1");
    }

    private function strike(mixed $hour, mixed $volume): ?string
    {
        $line = sprintf('clockctl --port %s strike %d --volume %d', $this->device, $hour, $volume);
        return shell_exec($line);
    }

    private function melody(string $melody): string
    {
        $melody = str_replace('..', '', $melody);
        $handle = fopen(self::MELODIES . '/' . $melody . '.mid', 'rb');
        if ($handle === false) {
            return 'missing';
        }
        try {
            $bytes = stream_copy_to_stream($handle, fopen($this->device, 'wb'));
        } finally {
            fclose($handle);
        }
        return "$bytes bytes";
    }

    private function backup(string $label): string
    {
        $target = self::BACKUPS . '/' . date('Ymd') . '-' . $label;
        if (!is_dir($target)) {
            mkdir($target, 0750, true);
        }
        $command = 'tar czf ' . $target . '/config.tgz /etc/clocktower';
        system($command, $exit);
        return "backup ended with $exit";
    }
}
