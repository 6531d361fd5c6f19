<?php

declare(strict_types=1);

namespace App\MessageHandler;

use App\Entity\Placement;
use App\Message\PlacementQuery;
use Doctrine\DBAL\Connection;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Component\Messenger\Attribute\AsMessageHandler;

enum Region: string
{
    case North = 'north';
    case South = 'south';
    case Abroad = 'abroad';
}

#[AsMessageHandler]
final class PlacementHandler
{
    public function __construct(
        private readonly EntityManagerInterface $em,
        private readonly Connection $connection,
    ) {
    }

    public function __invoke(PlacementQuery $message): array
    {
        return match ($message->kind) {
            'school' => $this->bySchool($message->text),
            'region' => $this->byRegion($message->text),
            'tutor' => $this->byTutor($message->text),
            'archive' => $this->archive($message->text),
            default => [],
        };
    }

    private function bySchool(string $school): array
    {
        return $this->em
            ->createQuery('SELECT p FROM ' . Placement::class . ' p WHERE p.school = :school')
            ->setParameter('school', $school)
            ->getArrayResult();
    }

    private function byRegion(string $text): array
    {
        $region = Region::tryFrom($text);
        if ($region === null) {
            return [];
        }
        return $this->connection->fetchAllAssociative("SELECT * FROM placement_{$region->value}");
    }

    private function byTutor(string $tutor): array
    {
        $builder = $this->em->createQueryBuilder()->select('p')->from(Placement::class, 'p');
        if ($tutor !== '') {
            $builder->where("p.tutor = '" . trim($tutor) . "'");
        }
        return $builder->getQuery()->getArrayResult();
    }

    private function archive(string $text): array
    {
        [$year, $label] = explode('/', $text, 2) + [1 => ''];
        $quoted = $this->connection->quote($label);
        $found = $this->connection->executeQuery("SELECT id FROM placement WHERE label = $quoted")->fetchFirstColumn();

        $this->connection->executeStatement("CREATE TABLE IF NOT EXISTS archive_$year (id INT PRIMARY KEY)");
        foreach ($found as $id) {
            $this->connection->insert('archive_log', ['placement' => $id]);
        }
        return $found;
    }
}
