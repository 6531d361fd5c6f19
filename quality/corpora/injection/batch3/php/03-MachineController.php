<?php

namespace App\Controller;

use Doctrine\DBAL\Connection;
use Psr\Log\LoggerInterface;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpKernel\Exception\BadRequestHttpException;
use Symfony\Component\Routing\Attribute\Route;

final class MachineController extends AbstractController
{
    private const COLUMNS = ['name', 'hall', 'serviced_at'];

    public function __construct(private Connection $db, private LoggerInterface $logger)
    {
    }

    #[Route('/machines', methods: ['GET'])]
    public function list(Request $request): JsonResponse
    {
        $column = $request->query->get('sort', 'name');
        $allowed = in_array($column, self::COLUMNS, true);
        $this->logger->info('machines sorted', ['column' => $column, 'allowed' => $allowed]);

        $rows = $this->db->fetchAllAssociative('SELECT * FROM machine ORDER BY ' . $column);

        return $this->json($rows);
    }

    #[Route('/machines/due', methods: ['GET'])]
    public function due(Request $request): JsonResponse
    {
        $column = $request->query->get('sort', 'serviced_at');
        if (!in_array($column, self::COLUMNS, true)) {
            throw new BadRequestHttpException('sort');
        }
        $sql = 'SELECT * FROM machine WHERE hall = :hall ORDER BY ' . $column;

        return $this->json($this->db->fetchAllAssociative($sql, ['hall' => $request->query->get('hall')]));
    }

    #[Route('/machines/{id}/note', methods: ['POST'], requirements: ['id' => '\d+'])]
    public function note(Request $request, int $id): JsonResponse
    {
        $text = $request->getPayload()->get('text');
        $count = $this->db->executeStatement("UPDATE machine SET note = '" . $text . "' WHERE id = " . $id);

        return $this->json(['changed' => $count]);
    }
}
