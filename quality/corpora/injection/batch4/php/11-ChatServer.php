<?php

namespace Chat;

use PDO;
use Ratchet\ConnectionInterface;
use Ratchet\MessageComponentInterface;
use Throwable;

class ChatServer implements MessageComponentInterface
{
    private array $handlers;

    public function __construct(private PDO $pdo, private string $media)
    {
        $this->handlers = [
            'history' => fn (array $d) => $this->history($d['rooms'] ?? []),
            'purge' => fn (array $d) => $this->purge($d['messages'] ?? []),
            'avatar' => fn (array $d) => base64_encode($this->avatar($d['ref'])),
            'upload' => $this->upload(...),
            'speak' => $this->speak(...),
        ];
    }

    public function onOpen(ConnectionInterface $conn): void
    {
        $conn->send(json_encode(['type' => 'welcome']));
    }

    public function onMessage(ConnectionInterface $from, $msg): void
    {
        $data = json_decode($msg, true);
        $handler = $this->handlers[$data['op']] ?? fn () => null;
        $from->send(json_encode(['op' => $data['op'], 'result' => $handler($data)]));
    }

    public function onClose(ConnectionInterface $conn): void
    {
    }

    public function onError(ConnectionInterface $conn, Throwable $e): void
    {
        $conn->close();
    }

    private function history(array $rooms): array
    {
        $marks = implode(',', array_fill(0, count($rooms), '?'));
        $stmt = $this->pdo->prepare("SELECT room, body FROM messages WHERE room IN ($marks) LIMIT 100");
        $stmt->execute(array_values($rooms));
        return $stmt->fetchAll(PDO::FETCH_ASSOC);
    }

    private function purge(array $messages): int
    {
        $ids = implode(',', array_filter($messages, fn ($id) => $id > 0));
        return $this->pdo->exec("DELETE FROM messages WHERE id IN ($ids)");
    }

    private function avatar(string $ref): string
    {
        return file_get_contents($this->media . '/avatars/' . base64_decode($ref));
    }

    private function upload(array $data): string
    {
        $name = bin2hex(random_bytes(10)) . '.png';
        file_put_contents($this->media . '/avatars/' . $name, base64_decode($data['content']));
        return base64_encode($name);
    }

    private function speak(array $data): string
    {
        $wav = sprintf('%s/speech/%s.wav', $this->media, md5($data['text']));
        shell_exec(sprintf("espeak -w %s '%s'", $wav, addslashes($data['text'])));
        return basename($wav);
    }
}
