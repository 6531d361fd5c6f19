<?php

namespace App\Controller;

use Doctrine\DBAL\Connection;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\Process\Process;
use Symfony\Component\Routing\Attribute\Route;

enum Gear: string
{
    case Skis = 'skis';
    case Boots = 'boots';
    case Poles = 'poles';
}

#[Route('/rental')]
final class RentalController extends AbstractController
{
    public function __construct(private readonly Connection $db)
    {
    }

    #[Route('/stock/{gear}', methods: ['GET'])]
    public function stock(string $gear, Request $request): JsonResponse
    {
        $type = Gear::tryFrom($gear) ?? throw $this->createNotFoundException();

        $qb = $this->db->createQueryBuilder()
            ->select('id', 'size', 'state')
            ->from('stock_' . $type->value)
            ->where('branch = :branch')
            ->setParameter('branch', $request->query->get('branch'));

        return $this->json($qb->executeQuery()->fetchAllAssociative());
    }

    #[Route('/fit', methods: ['GET'])]
    public function fit(Request $request): JsonResponse
    {
        $height = $request->query->getInt('height', 170);
        $style = $request->query->get('style', 'carving');
        $sql = sprintf(
            "SELECT id, length FROM stock_skis WHERE length BETWEEN %d AND %d AND style = '%s'",
            $height - 20,
            $height + 5,
            $style
        );

        return $this->json($this->db->executeQuery($sql)->fetchAllAssociative());
    }

    #[Route('/receipt/{number<\d+>}', methods: ['POST'])]
    public function receipt(string $number, Request $request): Response
    {
        $note = $request->request->get('note', '');
        $process = new Process(['receipt-printer', '--number=' . $number, '--note=' . $note]);
        $process->run();

        return new Response($process->getOutput(), $process->isSuccessful() ? 200 : 502);
    }

    #[Route('/label', methods: ['POST'])]
    public function label(Request $request): Response
    {
        $customer = $request->request->get('customer', '');
        $process = Process::fromShellCommandline("label-printer --queue=front --text=\"$customer\"");
        $process->setTimeout(10);
        $process->run();

        return new Response($process->getErrorOutput(), $process->isSuccessful() ? 204 : 502);
    }

    #[Route('/waiver', methods: ['POST'])]
    public function waiver(Request $request): Response
    {
        $customer = $request->request->get('customer', '');
        $process = Process::fromShellCommandline('waiver-printer --duplex --text="$CUSTOMER"');
        $process->run(null, ['CUSTOMER' => $customer]);

        return new Response('', $process->isSuccessful() ? 204 : 502);
    }
}
