import java.util.concurrent.CountDownLatch;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/** Runs one node of OpenSearch until its process ends: the folder of its data, its HTTP port, its transport port, those of all nodes. */
public class OneNode {
    public static void main(String[] args) throws InterruptedException {
        OpenSearchRunner runner = new OpenSearchRunner();
        runner.onBuild((number, settings) -> {
            settings.put("http.port", args[1]);
            settings.put("http.host", "127.0.0.1");
            settings.put("transport.port", args[2]);
            settings.put("transport.host", "127.0.0.1");
            if (args.length == 3) settings.put("discovery.type", "single-node");
            else {
                settings.put("node.name", args[2]);
                settings.put("cluster.initial_cluster_manager_nodes", args[3]);
                settings.put("discovery.seed_hosts", "127.0.0.1:" + args[3].replace(",", ",127.0.0.1:"));
            }
            // A full disk of this machine is no matter of the tests.
            settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
        });
        runner.build(OpenSearchRunner.newConfigs().basePath(args[0]).clusterName("tests").numOfNode(1).disableESLogger());
        new CountDownLatch(1).await();
    }
}
