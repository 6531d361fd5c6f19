<?php
declare(strict_types=1);

session_start();

final class FileManager
{
    private string $root;

    public function __construct(string $root)
    {
        $this->root = realpath($root);
    }

    private function locate(string $relative): string
    {
        $full = realpath($this->root . DIRECTORY_SEPARATOR . $relative);
        if ($full === false) {
            throw new RuntimeException('missing');
        }
        if (strncmp($full, $this->root . DIRECTORY_SEPARATOR, strlen($this->root) + 1) !== 0) {
            throw new RuntimeException('outside');
        }
        return $full;
    }

    private function guess(string $relative): string
    {
        $full = $this->root . DIRECTORY_SEPARATOR . $relative;
        if (strpos($full, $this->root) !== 0) {
            throw new RuntimeException('outside');
        }
        return $full;
    }

    public function read(string $relative): string
    {
        return file_get_contents($this->locate($relative));
    }

    public function tail(string $relative, int $lines): array
    {
        return array_slice(file($this->guess($relative)), -$lines);
    }

    public function remove(string $name): bool
    {
        foreach (scandir($this->root) as $entry) {
            if ($entry === $name && is_file($this->root . '/' . $entry)) {
                return unlink($this->root . '/' . $entry);
            }
        }
        return false;
    }

    public function rename(string $from, string $to): bool
    {
        return rename($this->locate($from), $this->root . '/' . $to);
    }

    public function avatar(array $upload): string
    {
        $name = $upload['name'];
        $name = bin2hex(random_bytes(8)) . '.png';
        move_uploaded_file($upload['tmp_name'], $this->root . '/avatars/' . $name);
        return $name;
    }
}

$manager = new FileManager('/srv/files/' . (int) ($_SESSION['user_id'] ?? 0));

try {
    $result = match ($_REQUEST['do'] ?? 'read') {
        'read' => $manager->read($_REQUEST['file']),
        'tail' => $manager->tail($_REQUEST['file'], 50),
        'remove' => $manager->remove($_REQUEST['file']),
        'rename' => $manager->rename($_REQUEST['file'], $_REQUEST['to']),
        'avatar' => $manager->avatar($_FILES['avatar']),
    };
    echo json_encode(['result' => $result]);
} catch (RuntimeException | UnhandledMatchError $e) {
    http_response_code(400);
    echo json_encode(['error' => $e->getMessage()]);
}
