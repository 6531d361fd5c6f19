using System.Collections.Generic;
using System.Diagnostics;
using System.Text;
using System.Text.Json;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Ci.Worker;

public record BuildMessage(string Target, string Branch);

public static class Program
{
    private static void Handle(BuildMessage m)
    {
        var steps = new Queue<string>();
        steps.Enqueue("make clean");
        steps.Enqueue("make " + m.Target);

        Process.Start("sh", "-c \"" + steps.Dequeue() + "\"").WaitForExit();
        Process.Start("sh", "-c \"" + steps.Dequeue() + "\"").WaitForExit();
    }

    public static void Main()
    {
        var factory = new ConnectionFactory { HostName = "mq" };
        using var connection = factory.CreateConnection();
        using var channel = connection.CreateModel();
        channel.QueueDeclare("builds", true, false, false, null);

        var consumer = new EventingBasicConsumer(channel);
        consumer.Received += (_, ea) =>
        {
            var text = Encoding.UTF8.GetString(ea.Body.ToArray());
            Handle(JsonSerializer.Deserialize<BuildMessage>(text)!);
            channel.BasicAck(ea.DeliveryTag, false);
        };
        channel.BasicConsume("builds", false, consumer);
        new System.Threading.ManualResetEvent(false).WaitOne();
    }
}
