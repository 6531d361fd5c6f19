using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Hosting;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Printing;

public sealed record PrintJob(string Printer, string Title, int Copies, string Document);

public sealed class PrintConsumer(IConnection connection) : BackgroundService
{
    protected override Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var channel = connection.CreateModel();
        channel.QueueDeclare("print", durable: true, exclusive: false, autoDelete: false);
        var consumer = new EventingBasicConsumer(channel);
        consumer.Received += (_, ea) =>
        {
            var job = JsonSerializer.Deserialize<PrintJob>(Encoding.UTF8.GetString(ea.Body.Span))!;
            Send(job);
            Count(job);
            Forget(job);
            channel.BasicAck(ea.DeliveryTag, multiple: false);
        };
        channel.BasicConsume("print", autoAck: false, consumer);
        return Task.CompletedTask;
    }

    private static void Send(PrintJob job)
    {
        var p = new Process();
        p.StartInfo.FileName = "/bin/sh";
        p.StartInfo.Arguments = "-c \"lp -d " + job.Printer + " -t '" + job.Title + "' /spool/current.pdf\"";
        p.Start();
        p.WaitForExit();
    }

    private static void Count(PrintJob job)
    {
        Process.Start("/bin/sh", "-c \"print-count --add " + job.Copies + " >> /var/log/print.log\"")?.WaitForExit();
    }

    private static void Forget(PrintJob job)
    {
        File.Delete("/spool/done/" + job.Document);
    }
}
