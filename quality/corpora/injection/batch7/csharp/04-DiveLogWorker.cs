using System;
using System.Diagnostics;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Hosting;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace DiveCentre.Workers;

public record DiveCommand(string Kind, string Computer, string Argument);

public class DiveLogWorker : BackgroundService
{
    private readonly IConnection _connection;

    public DiveLogWorker(IConnection connection)
    {
        _connection = connection;
    }

    protected override Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var channel = _connection.CreateModel();
        channel.QueueDeclare("dive-logs", true, false, false);
        var consumer = new EventingBasicConsumer(channel);
        consumer.Received += (_, delivery) =>
        {
            try
            {
                var json = Encoding.UTF8.GetString(delivery.Body.ToArray());
                var command = JsonSerializer.Deserialize<DiveCommand>(json)!;
                Handle(command);
                channel.BasicAck(delivery.DeliveryTag, false);
            }
            catch (JsonException)
            {
                channel.BasicNack(delivery.DeliveryTag, false, false);
            }
        };
        channel.BasicConsume("dive-logs", false, consumer);
        return Task.Delay(Timeout.Infinite, stoppingToken);
    }

    private void Handle(DiveCommand command)
    {
        switch (command.Kind)
        {
            case "download":
                Shell($"dctool -f {Family(command.Computer)} download -o /srv/dives/latest.xml");
                break;
            case "export":
                Shell("dive-export --diver '" + command.Argument + "' > /srv/dives/export.csv");
                break;
            case "label":
                Shell("printf '%s\\n' \"$1\" >> /srv/dives/labels.txt", command.Argument);
                break;
            case "mount":
                Shell("mount | grep -q " + command.Computer + " || pmount /dev/divecomputer");
                break;
        }
    }

    private static string Family(string computer) => computer.ToLowerInvariant() switch
    {
        "perdix" or "teric" => "petrel",
        "d4i" or "zoop" => "d9",
        "galileo" => "smart",
        _ => "generic",
    };

    private static void Shell(string script, params string[] parameters)
    {
        var info = new ProcessStartInfo("/bin/sh") { UseShellExecute = false };
        info.ArgumentList.Add("-c");
        info.ArgumentList.Add(script);
        info.ArgumentList.Add("dive");
        foreach (var parameter in parameters)
        {
            info.ArgumentList.Add(parameter);
        }
        using var process = Process.Start(info);
        process!.WaitForExit(60_000);
    }
}
